// What a Worker without SHUNT_CONFIG does: OpenAI's and Anthropic's models by `openai/MODEL` and
// `anthropic/MODEL`, with the caller's own key. So a fresh deployment spends nobody's money, and no key
// ever goes to another provider.

export const defaultConfig = {
  providers: {
    openai: {preset: 'openai', keys: 'client'},
    anthropic: {preset: 'anthropic', keys: 'client'},
  },
  routes: {
    'openai/*': {deployments: ['*@openai']},
    'anthropic/*': {deployments: ['*@anthropic']},
  },
};
