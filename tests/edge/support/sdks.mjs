// The official SDKs out of the package's own development tree, so that the project has one lock file. Knows
// where that tree is.
import {createRequire} from 'node:module';

const require = createRequire(new URL('../../../host-bindings/package.json', import.meta.url));
export const {OpenAI} = require('openai');
export const {Anthropic} = require('@anthropic-ai/sdk');
export const {GoogleGenAI} = require('@google/genai');
// Vercel's `ai` and its provider packages.
export const ai = require('ai');
export const {createOpenAI} = require('@ai-sdk/openai');
export const {createAnthropic} = require('@ai-sdk/anthropic');
export const {createGoogleGenerativeAI} = require('@ai-sdk/google');
