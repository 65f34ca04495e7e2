// Who may act as an operator: paths, the token, and what a stranger learns (nothing).
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isAdminPath, refuseAdmin} from '../../host-bindings/admin.mjs';

const bearer = (token) => new Headers({ authorization: `Bearer ${token}` });

test('admin paths are these and no others', () => {
  for (const path of ['/admin', '/admin/', '/admin/providers', '/api/admin/providers/a%2Fb/reset'])
    assert.ok(isAdminPath(path), path);
  for (const path of ['/', '/administrator', '/v1/admin', '/api/administer', '/api', '/v1/models'])
    assert.ok(!isAdminPath(path), path);
});

test('the token opens, any other and none are refused alike, and without one there is nothing', async () => {
  assert.equal(await refuseAdmin(bearer('open-sesame'), 'open-sesame'), undefined);
  const refused =
      await Promise.all([bearer('wrong'), bearer('open-sesam'), bearer('open-sesame1'), new Headers()].map(
          (headers) => refuseAdmin(headers, 'open-sesame')));
  for (const response of refused) assert.equal(response.status, 401);
  const bodies = new Set(await Promise.all(refused.map((response) => response.text())));
  assert.equal(bodies.size, 1);
  for (const token of [undefined, '']) assert.equal((await refuseAdmin(new Headers(), token)).status, 404);
  assert.equal((await refuseAdmin(bearer(''), '')).status, 404);
});
