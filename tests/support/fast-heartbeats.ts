/**
 * The environment of a worker that stores a heartbeat each second and not every ten, so that its jobs soon get to
 * another worker when it is killed.
 */
export const fastHeartbeats = { NODE_OPTIONS: `--import=${new URL("fast-heartbeats.mjs", import.meta.url).href}` };
