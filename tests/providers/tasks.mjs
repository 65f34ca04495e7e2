// Providers of images and videos as they answer polls for a job: a real HTTP server per provider, written
// from the providers' API references. Knows no gateway.
import {createServer} from 'node:http';

// provider -> {path of a poll, header of its key, answers by what became of the job}
export const kTaskProviders = {
  kling: {
    poll: '/v1/videos/text2video/1',
    answers: {
      running:
          {code: 0, message: 'SUCCEED', request_id: 'r', data: {task_id: '1', task_status: 'processing'}},
      refused: {
        code: 0,
        message: 'SUCCEED',
        request_id: 'r',
        data: {
          task_id: '1',
          task_status: 'failed',
          task_status_msg: 'Failure to pass the risk control system',
        },
      },
    },
  },
  vidu: {
    poll: '/v1/tasks/1/creations',
    answers: {
      running: {id: '1', state: 'processing', err_code: '', creations: []},
      refused: {id: '1', state: 'failed', err_code: 'CreationPolicyViolation', creations: []},
      failed: {id: '1', state: 'failed', err_code: 'SystemThrottling', creations: []},
    },
  },
  runway: {
    poll: '/v1/tasks/1',
    answers: {
      running: {id: '1', status: 'RUNNING', createdAt: '2026-01-01T00:00:00.000Z', progress: 0.5},
      refused: {id: '1', status: 'FAILED', failure: 'Refused.', failureCode: 'SAFETY.INPUT.TEXT'},
      failed: {id: '1', status: 'FAILED', failure: 'An error.', failureCode: 'INTERNAL.BAD_OUTPUT.CODE01'},
    },
  },
  midjourney: {
    poll: '/v1/task/1/fetch',
    answers: {
      running: {id: '1', action: 'IMAGINE', status: 'IN_PROGRESS', progress: '40%', failReason: null},
      refused: {
        id: '1',
        action: 'IMAGINE',
        status: 'FAILURE',
        failReason: 'Banned prompt detected',
        progress: '0%'
      },
      failed: {id: '1', action: 'IMAGINE', status: 'FAILURE', failReason: 'Internal error', progress: '0%'},
    },
  },
};

/**
 * A server that answers every poll of one provider as `play(what)` said last; `calls` is what it was asked.
 */
export async function createTaskProvider(name) {
  const { answers } = kTaskProviders[name];
  const calls = [];
  let played = 'running';
  const server = createServer((request, response) => {
    calls.push({ method: request.method, path: request.url, authorised: 'authorization' in request.headers });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[played]));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    calls,
    play: (what) => {
      played = what;
      return answers[what];
    },
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}
