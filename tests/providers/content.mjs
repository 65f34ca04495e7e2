// What a simulated provider answers: a pure function of what was asked, so that the same question gives the
// same answer in every dialect, asked directly or through a gateway. Knows no wire format.
import {createHash} from 'node:crypto';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/**
 * An ask, as each dialect's reader gives it:
 * {model, stream, wants_usage, wants_reasoning, text: last user text, messages: count without system, system:
 * text, tools: [{name, schema}], tool_choice: name | 'none' | '', images: [{type, bytes: Buffer}], results:
 * [text]}
 *
 * An answer: {id, model, reasoning, text, calls: [{id, name, arguments}], finish: 'stop' | 'tool', usage}
 */
export function answer(ask, options = {}) {
  const calls = calls_of(ask);
  const reasoning = ask.wants_reasoning ? 'First I read the question; then I count its words.' : '';
  const text = options.text ?? text_of(ask, calls.length > 0);
  return {
    id: sha256(JSON.stringify([ask.text, ask.messages, calls.length])).slice(0, 24),
    model: ask.model,
    reasoning,
    text,
    calls,
    finish: calls.length > 0 ? 'tool' : 'stop',
    usage: usage_of(ask, reasoning, text, calls),
  };
}

const words = (text) => text.split(/\s+/).filter(Boolean);

// More than one script of the world, so a reader that cuts inside a character is caught at once.
function text_of(ask, calling) {
  if (ask.results.length > 0) return `The tools said: ${ask.results.join(' | ')}. 完成 ✅`;
  if (calling) return 'Let me look that up.';
  const parts = [`You said “${excerpt(ask.text)}” (${words(ask.text).length} words`];
  parts.push(`, ${ask.messages} message${ask.messages === 1 ? '' : 's'}).`);
  if (ask.system) parts.push(` The system says “${excerpt(ask.system)}”.`);
  for (const { type, bytes } of ask.images) {
    parts.push(` I see ${type}, ${bytes.length} bytes, sha256 ${sha256(bytes).slice(0, 16)}.`);
  }
  parts.push(' 答案是四十二，naïve café, x² ≤ \\(y\\), 👩‍👩‍👧‍👦 — done.');
  return parts.join('');
}

const excerpt = (text) => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

// Every tool is called once (two at most), unless the results are already there or the caller forbids it.
function calls_of(ask) {
  if (ask.results.length > 0 || ask.tool_choice === 'none') return [];
  const wanted = ask.tool_choice ? ask.tools.filter((tool) => tool.name === ask.tool_choice) : ask.tools;
  return wanted.slice(0, 2).map(({ name, schema }, index) => ({
                                  id: sha256(`${name}/${index}/${ask.text}`).slice(0, 20),
                                  name,
                                  arguments: example_of(schema, ask.text, 0),
                                }));
}

// A value that the schema allows, made of the question.
function example_of(schema, text, depth) {
  if (schema?.enum) return schema.enum[0];
  switch (schema?.type) {
    case 'object': {
      if (depth > 8) return {};
      const properties = Object.entries(schema.properties ?? {});
      return Object.fromEntries(properties.map(([key, inner]) => [key, example_of(inner, text, depth + 1)]));
    }
    case 'array':
      return [example_of(schema.items, text, depth + 1)];
    case 'integer':
    case 'number':
      return words(text).length;
    case 'boolean':
      return true;
    default:
      return words(text).at(-1) ?? '';
  }
}

// Counts without a tokenizer; a part of the prompt counts as cached, so that both ways of counting it are
// exercised.
function usage_of(ask, reasoning, text, calls) {
  const thought = words(reasoning).length;
  const said =
      words(text).length + calls.reduce((sum, call) => sum + 4 + Object.keys(call.arguments).length, 0);
  return {
    prompt: 32 + words(ask.text).length + 85 * ask.images.length + 12 * ask.tools.length,
    cached: 16,
    completion: thought + said,
    reasoning: thought,
  };
}

/** The text in the pieces a stream sends it in: a word and its space each. */
export const pieces = (text) => text.match(/\S+\s*|\s+/g) ?? [];
