// The official SDKs behind one question and one folded answer, so that what they got can be compared across
// dialects. Knows the SDKs, not the gateway.
import {Anthropic, GoogleGenAI, OpenAI} from './sdks.mjs';

const kTimeoutMs = 20000;

/**
 * A question: {text, system, image: {type, data}, tools: [{name, description, schema}], called: [{id, name,
 * arguments, result}]} A folded answer: {text, calls: [{id, name, arguments}], finish, usage: {prompt,
 * cached, completion}, model}
 */
const openai_messages = ({ text, system, image, called = [] }) => {
  const content = image ?
      [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: `data:${image.type};base64,${image.data}` } },
      ] :
      text;
  const messages = [{ role: 'user', content }];
  if (system) messages.unshift({ role: 'system', content: system });
  if (called.length > 0) {
    const tool_calls = called.map((call) => ({
                                    id: call.id,
                                    type: 'function',
                                    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
                                  }));
    messages.push({ role: 'assistant', content: null, tool_calls });
    for (const { id, result } of called) messages.push({ role: 'tool', tool_call_id: id, content: result });
  }
  return messages;
};

const openai = {
  request: (model, question) => ({
    model,
    messages: openai_messages(question),
    ...(question.tools && {
      tools: question.tools.map(({ name, description, schema }) => ({
                                  type: 'function',
                                  function: { name, description, parameters: schema },
                                })),
    }),
  }),
  fold: ({ choices: [{ message, finish_reason }], usage, model }) => ({
    text: message.content ?? '',
    calls: (message.tool_calls ?? []).map((call) => ({
                                            id: call.id,
                                            name: call.function.name,
                                            arguments: JSON.parse(call.function.arguments),
                                          })),
    finish: { stop: 'stop', tool_calls: 'tool' }[finish_reason],
    usage: {
      prompt: usage.prompt_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
      completion: usage.completion_tokens,
    },
    model,
  }),
  async ask({ url, key, model, question, stream, headers }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, timeout: kTimeoutMs });
    const request = openai.request(model, question);
    if (!stream) return openai.fold(await client.chat.completions.create(request, { headers }));
    const run =
        client.chat.completions.stream({...request, stream_options: { include_usage: true } }, { headers });
    return openai.fold(await run.finalChatCompletion());
  },
};

const responses_input = ({ text, image, called = [] }) => {
  const picture =
      image && { type: 'input_image', image_url: `data:${image.type};base64,${image.data}`, detail: 'auto' };
  const content = image ? [{ type: 'input_text', text }, picture] : text;
  const calls = called.map((call) => ({
                             type: 'function_call',
                             call_id: call.id,
                             name: call.name,
                             arguments: JSON.stringify(call.arguments),
                           }));
  const outputs =
      called.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result }));
  return [{ role: 'user', content }, ...calls, ...outputs];
};

const responses = {
  request: (model, question) => ({
    model,
    input: responses_input(question),
    ...(question.system && { instructions: question.system }),
    ...(question.tools && {
      tools: question.tools.map(({ name, description, schema }) => ({
                                  type: 'function',
                                  name,
                                  description,
                                  parameters: schema,
                                  strict: false,
                                })),
    }),
  }),
  fold: ({ output, output_text, status, usage, model }) => {
    const calls = output.filter(({ type }) => type === 'function_call');
    const finish = calls.length > 0 ? 'tool' : 'stop';
    return {
      text: output_text,
      calls:
          calls.map((call) => ({ id: call.call_id, name: call.name, arguments: JSON.parse(call.arguments) })),
      finish: { completed: finish }[status],
      usage: {
        prompt: usage.input_tokens,
        cached: usage.input_tokens_details.cached_tokens,
        completion: usage.output_tokens,
      },
      model,
    };
  },
  async ask({ url, key, model, question, stream, headers }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, timeout: kTimeoutMs });
    const request = responses.request(model, question);
    if (!stream) return responses.fold(await client.responses.create(request, { headers }));
    return responses.fold(await client.responses.stream(request, { headers }).finalResponse());
  },
};

const anthropic_messages = ({ text, image, called = [] }) => {
  const source = image && { type: 'base64', media_type: image.type, data: image.data };
  const content = image ? [{ type: 'text', text }, { type: 'image', source }] : text;
  const messages = [{ role: 'user', content }];
  if (called.length > 0) {
    const calls = called.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }));
    const results =
        called.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result }));
    messages.push({ role: 'assistant', content: calls }, { role: 'user', content: results });
  }
  return messages;
};

const anthropic = {
  request: (model, question) => ({
    model,
    max_tokens: 1000,
    messages: anthropic_messages(question),
    ...(question.system && { system: question.system }),
    ...(question.tools && {
      tools: question.tools.map(
          ({ name, description, schema }) => ({ name, description, input_schema: schema })),
    }),
  }),
  fold: ({ content, stop_reason, usage, model }) => ({
    text: content.filter((block) => block.type === 'text').map((block) => block.text).join(''),
    calls: content.filter((block) => block.type === 'tool_use')
               .map(({ id, name, input }) => ({ id, name, arguments: input })),
    finish: { end_turn: 'stop', tool_use: 'tool' }[stop_reason],
    // This dialect's input_tokens leave out what came from the cache or went into it.
    usage: {
      prompt: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) +
          (usage.cache_read_input_tokens ?? 0),
      cached: usage.cache_read_input_tokens ?? 0,
      completion: usage.output_tokens,
    },
    model,
  }),
  async ask({ url, key, model, question, stream, headers }) {
    const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0, timeout: kTimeoutMs });
    const request = anthropic.request(model, question);
    if (!stream) return anthropic.fold(await client.messages.create(request, { headers }));
    return anthropic.fold(await client.messages.stream(request, { headers }).finalMessage());
  },
};

const gemini_contents = ({ text, image, called = [] }) => {
  const parts = [{ text }];
  if (image) parts.push({ inlineData: { mimeType: image.type, data: image.data } });
  const contents = [{ role: 'user', parts }];
  if (called.length > 0) {
    const calls = called.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } }));
    const results = called.map(
        ({ id, name, result }) => ({ functionResponse: { id, name, response: { output: result } } }));
    contents.push({ role: 'model', parts: calls }, { role: 'user', parts: results });
  }
  return contents;
};

const gemini = {
  request: (model, question) => ({
    model,
    contents: gemini_contents(question),
    config: {
      ...(question.system && { systemInstruction: question.system }),
      ...(question.tools && {
        tools: [{
          functionDeclarations: question.tools.map(
              ({ name, description, schema }) => ({ name, description, parametersJsonSchema: schema })),
        }],
      }),
    },
  }),
  // The chunks of a stream, or the one of a plain answer.
  fold: (chunks) => {
    const parts = chunks.flatMap(({ candidates: [{ content }] }) => content.parts);
    const calls = parts.filter((part) => part.functionCall).map(({ functionCall }) => functionCall);
    const last = chunks.at(-1);
    return {
      text: parts.filter(({ text, thought }) => text && !thought).map(({ text }) => text).join(''),
      calls: calls.map(({ id, name, args }) => ({ id, name, arguments: args })),
      // This dialect has no word for calls.
      finish: { STOP: calls.length > 0 ? 'tool' : 'stop' }[last.candidates[0].finishReason],
      usage: {
        prompt: last.usageMetadata.promptTokenCount,
        cached: last.usageMetadata.cachedContentTokenCount ?? 0,
        completion: last.usageMetadata.candidatesTokenCount + (last.usageMetadata.thoughtsTokenCount ?? 0),
      },
      model: last.modelVersion,
    };
  },
  async ask({ url, key, model, question, stream, headers }) {
    const client =
        new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, timeout: kTimeoutMs, headers } });
    const request = gemini.request(model, question);
    if (!stream) return gemini.fold([await client.models.generateContent(request)]);
    const chunks = [];
    for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk);
    return gemini.fold(chunks);
  },
};

export const clients = {
  openai,
  responses,
  anthropic,
  gemini
};
