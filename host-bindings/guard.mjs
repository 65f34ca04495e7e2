// Who may stand in the open: a gateway that adds its own keys needs clients to tell apart, except on
// loopback.

const kLoopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;
export const isLoopback = (hostname) => kLoopback.test(hostname);

/** Anybody who reaches this gateway spends its operator's keys. */
export const isOpen = ({clients, deployments}) => clients.length === 0 &&
    deployments.some((line) => line.auth !== 'none' && !line.client_key && line.keys.length > 0);

export const kOpenAdvice = 'It holds provider keys but knows no clients, so anyone could spend them. ' +
    'Name "clients" in its configuration.';
