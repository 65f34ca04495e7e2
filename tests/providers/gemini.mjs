// The Gemini API's generateContent wire format, provider's side: reads a request, writes answers, stream
// frames and errors. Knows no sockets and none of the gateway's code.
import {pieces} from './content.mjs';

const kPath = /^\/v1beta\/models\/([^/]+):(generateContent|streamGenerateContent)$/;
/** The model and the method stand in the path. */
export const answers = (path) => kPath.test(path);
export const path = '/v1beta/models/model-g:generateContent';
export const credential = (headers) => headers['x-goog-api-key'] ?? '';

const parts_of = (content) => content?.parts ?? [];
const text_of = (content) => parts_of(content).filter(({ text }) => text).map(({ text }) => text).join('');
const results_of = (content) => parts_of(content).filter((part) => part.functionResponse);

export function read(body, target) {
  const [address, query] = target.split('?');
  const [, model, method] = kPath.exec(address);
  const contents = body.contents ?? [];
  const users = contents.filter(({ role }) => role !== 'model');
  const config = body.generationConfig ?? {};
  const calling = body.toolConfig?.functionCallingConfig;
  return {
    model: decodeURIComponent(model),
    stream: method === 'streamGenerateContent' && new URLSearchParams(query).get('alt') === 'sse',
    wants_usage: true,
    wants_reasoning: config.thinkingConfig?.includeThoughts === true,
    text: text_of(users.filter((content) => results_of(content).length === 0).at(-1)),
    messages: contents.reduce((sum, content) => sum + (results_of(content).length || 1), 0),
    system: text_of(body.systemInstruction),
    tools: (body.tools ?? [])
               .flatMap(({ functionDeclarations }) => functionDeclarations ?? [])
               .map((tool) => ({ name: tool.name, schema: tool.parametersJsonSchema ?? tool.parameters })),
    tool_choice: calling?.mode === 'NONE' ? 'none' : (calling?.allowedFunctionNames?.[0] ?? ''),
    images:
        users.flatMap(parts_of).filter((part) => part.inlineData).map(({ inlineData:
                                                                             { mimeType, data } }) => ({
                                                                        type: mimeType,
                                                                        bytes: Buffer.from(data, 'base64'),
                                                                      })),
    results: users.flatMap(results_of).map(({ functionResponse:
                                                  { response } }) => response.output ?? response.content),
  };
}

const kSignature = 'c2lnbmVkIGJ5IGEgc2ltdWxhdGVkIHByb3ZpZGVy';
const call_of = ({ id, name, arguments: args }, index) => ({
  functionCall: { id, name, args },
  // The first of parallel calls carries it for all.
  ...(index === 0 && { thoughtSignature: kSignature }),
});
// This API counts thoughts beside the answer.
const usage_of = ({ usage }) => ({
  promptTokenCount: usage.prompt,
  cachedContentTokenCount: usage.cached,
  candidatesTokenCount: usage.completion - usage.reasoning,
  thoughtsTokenCount: usage.reasoning,
  totalTokenCount: usage.prompt + usage.completion,
});

const response = (answer, parts, usageMetadata, finishReason) => ({
  candidates: [{ content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
  usageMetadata,
  modelVersion: answer.model,
  responseId: answer.id,
});

export function plain(answer) {
  const parts = answer.calls.map(call_of);
  if (answer.text) parts.unshift({ text: answer.text });
  if (answer.reasoning) parts.unshift({ text: answer.reasoning, thought: true });
  return response(answer, parts, usage_of(answer), 'STOP');
}

const frame = (data) => `data: ${JSON.stringify(data)}\r\n\r\n`;

/** {opening, content, ending}: what comes before the first content, the content, and what ends the stream. */
export function stream(answer) {
  // Until the end only the prompt is counted.
  const counted = { promptTokenCount: answer.usage.prompt, totalTokenCount: answer.usage.prompt };
  const chunk = (...parts) => frame(response(answer, parts, counted));
  return {
    opening: [],
    content: [
      ...pieces(answer.reasoning).map((text) => chunk({ text, thought: true })),
      ...pieces(answer.text).map((text) => chunk({ text })),
      ...(answer.calls.length > 0 ? [chunk(...answer.calls.map(call_of))] : []),
    ],
    ending: [frame(response(answer, [{ text: '' }], usage_of(answer), 'STOP'))],
  };
}

// kind -> the code and the word this API uses for it.
const kErrors = {
  rate_limit: [429, 'RESOURCE_EXHAUSTED'],
  quota: [429, 'RESOURCE_EXHAUSTED'],
  server: [500, 'INTERNAL'],
  overloaded: [503, 'UNAVAILABLE'],
  bad_request: [400, 'INVALID_ARGUMENT'],
  content: [400, 'INVALID_ARGUMENT'],
  auth: [401, 'UNAUTHENTICATED'],
};

export function error(kind, message) {
  const [code, status] = kErrors[kind];
  return { error: { code, message, status } };
}
export const error_frame = (kind, message) => frame(error(kind, message));
export const broken_frame = 'data: {"candidates":[{"content":{"parts":[{"text":"los\r\n\r\n';
/** This API names no waits in its headers: its answers say it in RetryInfo, or not at all. */
export const reset_headers = () => ({});
