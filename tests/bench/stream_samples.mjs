// Long answers as two providers stream them, of ordinary words; every event differs a little. Bytes for
// benchmarks.
const kWords =
    ('The quick brown fox, having read the whole of the manual twice, decided that "lines" were best ' +
     'protected by patience: not by haste. Ein Satz mit Umlauten wäre schön; 一句中文也不错。\n\n')
        .split(/(?<= )/);

/** Events of about 333 bytes: chat.completion.chunk with one word of text each. */
export function openai_stream(bytes) {
  const chunk = (delta, finish, index) => 'data: ' + JSON.stringify({
    id: 'chatcmpl-Bx7Qm2LrZt0WcKe4NsVyHdUf9Ga1',
    object: 'chat.completion.chunk',
    created: 1780000000,
    model: 'gpt-4o-mini-2024-07-18',
    service_tier: 'default',
    system_fingerprint: 'fp_7c1d0a93be',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage: null,
    obfuscation: 'x9Kd2mQ0vB4zTa'.slice(index % 10),
  }) + '\n\n';
  return fill(
      bytes, chunk({ role: 'assistant', content: '', refusal: null }, null, 0),
      (word, i) => chunk({ content: word }, null, i), chunk({}, 'stop', 0) + 'data: [DONE]\n\n');
}

/** Events of about 136 bytes: content_block_delta with three words of text each. */
export function anthropic_stream(bytes) {
  const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const usage = { input_tokens: 25, output_tokens: 1 };
  const begin = event({
                  type: 'message_start',
                  message: {
                    id: 'msg_01Xq',
                    type: 'message',
                    role: 'assistant',
                    model: 'claude-sonnet-4-5',
                    content: [],
                    usage
                  },
                }) +
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  const delta = (text) =>
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  const end = event({ type: 'content_block_stop', index: 0 }) +
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 999 } }) +
      event({ type: 'message_stop' });
  const words = (i) => [0, 1, 2].map((n) => kWords[(3 * i + n) % kWords.length]).join('');
  return fill(bytes, begin, (_, i) => delta(words(i)), end);
}

function fill(bytes, begin, event, end) {
  const parts = [begin];
  let size = begin.length;
  for (let i = 0; size < bytes; ++i) {
    parts.push(event(kWords[i % kWords.length], i));
    size += parts[parts.length - 1].length;
  }
  return Buffer.from(parts.join('') + end);
}
