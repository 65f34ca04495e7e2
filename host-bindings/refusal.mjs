// What the host itself says when it cannot or may not answer. Both dialects' clients find what they look
// for in it.

export const errorBody = (code, message) =>
    JSON.stringify({type: 'error', error: {type: 'api_error', code, message}});

export const refusal = (status, code, message) => new Response(errorBody(code, message), {
  status,
  headers: {'content-type': 'application/json'},
});
