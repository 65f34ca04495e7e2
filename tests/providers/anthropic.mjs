// The Anthropic messages wire format, provider's side: reads a request, writes answers, stream frames and
// errors. Knows no sockets and none of the gateway's code.
import {pieces} from './content.mjs';

export const path = '/v1/messages';
export const credential = (headers) => headers['x-api-key'] ?? '';

const blocks_of = (content) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []));
const text_of = (content) =>
    blocks_of(content).filter((block) => block.type === 'text').map((block) => block.text).join('');

function image_of({ source }) {
  if (source.type === 'url') return { type: 'url', bytes: Buffer.from(source.url) };
  return { type: source.media_type, bytes: Buffer.from(source.data, 'base64') };
}

export function read(body) {
  const messages = body.messages ?? [];
  const blocks = messages.filter(({ role }) => role === 'user').flatMap(({ content }) => blocks_of(content));
  // A message of tool results alone is no question; each result is one message in other dialects.
  const of_results = (message) => blocks_of(message.content).filter((block) => block.type === 'tool_result');
  const asking = messages.filter((message) => message.role === 'user' && of_results(message).length === 0);
  const choice = body.tool_choice;
  return {
    model: body.model,
    stream: body.stream === true,
    wants_usage: true,
    wants_reasoning: body.thinking?.type === 'enabled',
    text: text_of(asking.at(-1)?.content ?? ''),
    messages: messages.reduce((sum, message) => sum + (of_results(message).length || 1), 0),
    system: text_of(body.system),
    tools: (body.tools ?? []).map((tool) => ({ name: tool.name, schema: tool.input_schema })),
    tool_choice: choice?.type === 'tool' ? choice.name :
        choice?.type === 'none'          ? 'none' :
                                           '',
    images: blocks.filter((block) => block.type === 'image').map(image_of),
    results: blocks.filter((block) => block.type === 'tool_result').map(({ content }) => text_of(content)),
  };
}

const kSignature = 'c2lnbmVkIGJ5IGEgc2ltdWxhdGVkIHByb3ZpZGVy';
const finish_of = ({ finish }) => (finish === 'tool' ? 'tool_use' : 'end_turn');
// This API's input_tokens leave out what came from the cache.
const input_usage = ({ usage }) => ({
  input_tokens: usage.prompt - usage.cached,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cached,
});

export function plain(answer) {
  const content = [];
  if (answer.reasoning) content.push({ type: 'thinking', thinking: answer.reasoning, signature: kSignature });
  if (answer.text) content.push({ type: 'text', text: answer.text });
  for (const { id, name, arguments: input } of answer.calls) {
    content.push({ type: 'tool_use', id: `toolu_${id}`, name, input });
  }
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content,
    stop_reason: finish_of(answer),
    stop_sequence: null,
    usage: {...input_usage(answer), output_tokens: answer.usage.completion },
  };
}

const frame = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** {opening, content, ending}: what comes before the first content, the content, and what ends the stream. */
export function stream(answer) {
  const content = [];
  let index = 0;
  const block = (start, deltas) => {
    content.push(frame({ type: 'content_block_start', index, content_block: start }));
    for (const delta of deltas) content.push(frame({ type: 'content_block_delta', index, delta }));
    content.push(frame({ type: 'content_block_stop', index }));
    index += 1;
  };
  if (answer.reasoning) {
    const thoughts = pieces(answer.reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }));
    const signature = { type: 'signature_delta', signature: kSignature };
    block({ type: 'thinking', thinking: '', signature: '' }, [...thoughts, signature]);
  }
  if (answer.text) {
    block(
        { type: 'text', text: '' },
        pieces(answer.text).map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const { id, name, arguments: input } of answer.calls) {
    const text = JSON.stringify(input);
    const half = Math.ceil(text.length / 2);
    const parts = ['', text.slice(0, half), text.slice(half)];
    block(
        { type: 'tool_use', id: `toolu_${id}`, name, input: {} },
        parts.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  }
  const message = {...plain(answer), content: [], stop_reason: null };
  message.usage = {...input_usage(answer), output_tokens: 1 };
  return {
    opening: [frame({ type: 'message_start', message }), frame({ type: 'ping' })],
    content,
    ending: [
      frame({
        type: 'message_delta',
        delta: { stop_reason: finish_of(answer), stop_sequence: null },
        usage: { output_tokens: answer.usage.completion },
      }),
      frame({ type: 'message_stop' }),
    ],
  };
}

// kind -> the word this API uses for it.
const kErrors = {
  rate_limit: 'rate_limit_error',
  quota: 'billing_error',
  server: 'api_error',
  overloaded: 'overloaded_error',
  bad_request: 'invalid_request_error',
  content: 'invalid_request_error',
  auth: 'authentication_error',
};

export const error = (kind, message) => ({type: 'error', error: {type: kErrors[kind], message}});
export const error_frame = (kind, message) => frame(error(kind, message));
export const broken_frame =
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"los\n\n';
/** Rate-limit headers that say a wait without saying retry-after. */
export const reset_headers = (seconds) => ({
  'anthropic-ratelimit-requests-limit': '60',
  'anthropic-ratelimit-requests-remaining': '0',
  'anthropic-ratelimit-requests-reset': new Date(Date.now() + seconds * 1000).toISOString(),
});
