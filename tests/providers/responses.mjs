// The OpenAI Responses wire format, provider's side: reads a request, writes answers, stream frames and
// errors. Knows no sockets and none of the gateway's code.
import {pieces} from './content.mjs';
import {credential, error, reset_headers} from './openai.mjs';

export {credential, error, reset_headers};
export const path = '/v1/responses';

const parts_of = (content) =>
    (typeof content === 'string' ? [{ type: 'input_text', text: content }] : (content ?? []));
const text_of = (content) => parts_of(content)
                                 .filter(({ type }) => type === 'input_text' || type === 'output_text')
                                 .map(({ text }) => text)
                                 .join('');

function image_of({ image_url }) {
  const [, type, data] = /^data:([^;]+);base64,(.*)$/s.exec(image_url) ?? [null, 'url', ''];
  return { type, bytes: Buffer.from(type === 'url' ? image_url : data, type === 'url' ? 'utf8' : 'base64') };
}

/** Messages as the other formats count them: the calls of one turn are one message. */
function count_of(items) {
  let count = 0;
  let calling = false;
  for (const { type, role } of items) {
    if (role === 'system' || role === 'developer' || type === 'reasoning') continue;
    if (type !== 'function_call' || !calling) ++count;
    calling = type === 'function_call' || role === 'assistant';
  }
  return count;
}

export function read(body) {
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
  const users = items.filter(({ role }) => role === 'user');
  const systems = items.filter(({ role }) => role === 'system' || role === 'developer')
                      .map(({ content }) => text_of(content));
  const choice = body.tool_choice;
  return {
    model: body.model,
    stream: body.stream === true,
    wants_usage: true,
    wants_reasoning: body.reasoning?.effort !== undefined,
    text: text_of(users.at(-1)?.content ?? ''),
    messages: count_of(items),
    system: [...(body.instructions ? [body.instructions] : []), ...systems].join('\n'),
    tools: (body.tools ?? []).map(({ name, parameters }) => ({ name, schema: parameters })),
    tool_choice: choice?.name ?? (choice === 'none' ? 'none' : ''),
    images: users.flatMap(
        ({ content }) => parts_of(content).filter(({ type }) => type === 'input_image').map(image_of)),
    results: items.filter(({ type }) => type === 'function_call_output').map(({ output }) => text_of(output)),
  };
}

const kCreated = 1700000000;
const usage_of = ({ usage }) => ({
  input_tokens: usage.prompt,
  input_tokens_details: { cached_tokens: usage.cached },
  output_tokens: usage.completion,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.prompt + usage.completion,
});

const response = (answer, fields) => ({
  id: `resp_${answer.id}`,
  object: 'response',
  created_at: kCreated,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: answer.model,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  ...fields,
});

const reasoning_of = ({ id, reasoning }) =>
    ({ id: `rs_${id}`, type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] });
const text_part = (text) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const message_of = ({ id, text }) => (
    { id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content: [text_part(text)] });
const call_of = ({ id, name, arguments: value }) => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: `call_${id}`,
  name,
  arguments: JSON.stringify(value),
});
const items_of = (answer) =>
    [...(answer.reasoning ? [reasoning_of(answer)] : []),
     ...(answer.text ? [message_of(answer)] : []),
     ...answer.calls.map(call_of),
];

export const plain = (answer) =>
    response(answer, {status: 'completed', output: items_of(answer), usage: usage_of(answer)});

const frame = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** The events of one item between its two ends. */
function events_of(item, place) {
  if (item.type === 'function_call') {
    const text = item.arguments;
    const half = Math.ceil(text.length / 2);
    const type = 'response.function_call_arguments';
    return [
      ...[text.slice(0, half), text.slice(half)].map((delta) => ({ type: `${type}.delta`, ...place, delta })),
      { type: `${type}.done`, ...place, name: item.name, arguments: text },
    ];
  }
  const reasoning = item.type === 'reasoning';
  const [part] = reasoning ? item.summary : item.content;
  const at = {...place, [reasoning ? 'summary_index' : 'content_index']: 0 };
  const stem = reasoning ? 'response.reasoning_summary' : 'response.content';
  const text = reasoning ? 'response.reasoning_summary_text' : 'response.output_text';
  return [
    { type: `${stem}_part.added`, ...at, part: {...part, text: '' } },
    ...pieces(part.text).map((delta) => ({ type: `${text}.delta`, ...at, delta })),
    { type: `${text}.done`, ...at, text: part.text },
    { type: `${stem}_part.done`, ...at, part },
  ];
}

const begun = (item) => ({
  ...item,
  ...(item.content && { content: [] }),
  ...(item.summary && { summary: [] }),
  ...(item.arguments && { arguments: '' }),
  ...(item.status && { status: 'in_progress' }),
});

/** {opening, content, ending}: what comes before the first content, the content, and what ends the stream. */
export function stream(answer) {
  let number = 0;
  const told = ({ type, ...members }) => frame({ type, sequence_number: number++, ...members });
  const start = response(answer, { status: 'in_progress', output: [], usage: null });
  const opening = ['response.created', 'response.in_progress'].map((type) => told({ type, response: start }));
  const content = items_of(answer).flatMap(
      (item, output_index) => [{ type: 'response.output_item.added', output_index, item: begun(item) },
                               ...events_of(item, { item_id: item.id, output_index }),
                               { type: 'response.output_item.done', output_index, item },
  ].map(told));
  return { opening, content, ending: [told({ type: 'response.completed', response: plain(answer) })] };
}

export function error_frame(kind, message) {
  const { error: { code, param } } = error(kind, message);
  return frame({ type: 'error', sequence_number: 2, code, message, param });
}
export const broken_frame =
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"los\n\n';
