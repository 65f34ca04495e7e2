// The OpenAI chat completions wire format, provider's side: reads a request, writes answers, stream frames
// and errors. Knows no sockets and none of the gateway's code.
import {pieces} from './content.mjs';

export const path = '/v1/chat/completions';
export const credential = (headers) => (headers.authorization ?? '').replace(/^Bearer /, '');

const parts_of = (content) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []));
const text_of = (content) =>
    parts_of(content).filter((part) => part.type === 'text').map((part) => part.text).join('');

function image_of({ image_url }) {
  const [, type, data] = /^data:([^;]+);base64,(.*)$/s.exec(image_url.url) ?? [null, 'url', ''];
  return {
    type,
    bytes: Buffer.from(type === 'url' ? image_url.url : data, type === 'url' ? 'utf8' : 'base64')
  };
}

export function read(body) {
  const messages = body.messages ?? [];
  const users = messages.filter((message) => message.role === 'user');
  const choice = body.tool_choice;
  return {
    model: body.model,
    stream: body.stream === true,
    wants_usage: body.stream_options?.include_usage === true,
    wants_reasoning: body.reasoning_effort !== undefined,
    text: text_of(users.at(-1)?.content ?? ''),
    messages: messages.filter(({ role }) => role !== 'system' && role !== 'developer').length,
    system: messages.filter(({ role }) => role === 'system' || role === 'developer')
                .map(({ content }) => text_of(content))
                .join('\n'),
    tools: (body.tools ?? []).map((tool) => ({ name: tool.function.name, schema: tool.function.parameters })),
    tool_choice: choice?.function?.name ?? (choice === 'none' ? 'none' : ''),
    images: users.flatMap(
        ({ content }) => parts_of(content).filter((part) => part.type === 'image_url').map(image_of)),
    results: messages.filter(({ role }) => role === 'tool').map(({ content }) => text_of(content)),
  };
}

const kCreated = 1700000000;
const finish_of = ({ finish }) => (finish === 'tool' ? 'tool_calls' : 'stop');
const usage_of = ({ usage }) => ({
  prompt_tokens: usage.prompt,
  completion_tokens: usage.completion,
  total_tokens: usage.prompt + usage.completion,
  prompt_tokens_details: { cached_tokens: usage.cached },
  completion_tokens_details: { reasoning_tokens: usage.reasoning },
});
const call_of = ({ id, name, arguments: value }) => ({
  id: `call_${id}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(value) },
});

export function plain(answer) {
  const message = { role: 'assistant', content: answer.text, refusal: null };
  if (answer.reasoning) message.reasoning_content = answer.reasoning;
  if (answer.calls.length > 0) message.tool_calls = answer.calls.map(call_of);
  return {
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion',
    created: kCreated,
    model: answer.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish_of(answer) }],
    usage: usage_of(answer),
  };
}

const frame = (data) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** {opening, content, ending}: what comes before the first content, the content, and what ends the stream. */
export function stream(answer, ask) {
  const chunk = (choices, more) => frame({
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion.chunk',
    created: kCreated,
    model: answer.model,
    choices,
    ...more,
  });
  const delta = (value, finish = null) => chunk([{ index: 0, delta: value, finish_reason: finish }]);
  const calls = answer.calls.flatMap((call, index) => {
    const whole = call_of(call);
    const text = whole.function.arguments;
    const half = Math.ceil(text.length / 2);
    const first = { index, ...whole, function: { name: call.name, arguments: '' } };
    const rest =
        [text.slice(0, half), text.slice(half)].map((part) => ({ index, function: { arguments: part } }));
    return [first, ...rest].map((value) => delta({ tool_calls: [value] }));
  });
  return {
    opening: [delta({ role: 'assistant', content: '' })],
    content: [
      ...pieces(answer.reasoning).map((text) => delta({ reasoning_content: text })),
      ...pieces(answer.text).map((text) => delta({ content: text })),
      ...calls,
    ],
    ending: [
      delta({}, finish_of(answer)),
      ...(ask.wants_usage ? [chunk([], { usage: usage_of(answer) })] : []),
      frame('[DONE]'),
    ],
  };
}

// kind -> the words this API uses for it.
const kErrors = {
  rate_limit: ['requests', 'rate_limit_exceeded'],
  quota: ['insufficient_quota', 'insufficient_quota'],
  server: ['server_error', null],
  overloaded: ['server_error', 'overloaded'],
  bad_request: ['invalid_request_error', 'invalid_value'],
  content: ['invalid_request_error', 'content_policy_violation'],
  auth: ['invalid_request_error', 'invalid_api_key'],
};

export function error(kind, message) {
  const [type, code] = kErrors[kind];
  return { error: { message, type, param: null, code } };
}
export const error_frame = (kind, message) => frame(error(kind, message));
export const broken_frame = 'data: {"id":"chatcmpl-broken","choices":[{"index":0,"delta":{"content":"los\n\n';
/** Rate-limit headers that say a wait without saying retry-after. */
export const reset_headers = (seconds) => ({
  'x-ratelimit-limit-requests': '60',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': `${seconds}s`,
});
