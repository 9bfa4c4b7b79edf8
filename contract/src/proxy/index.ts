export { describeProxy, findProxy, ProxySettingError } from "./find-proxy.js";
export { createProxyAgent } from "./proxy-agent.js";
