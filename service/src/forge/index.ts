export { ForgeClient, type ForgeClock } from "./forge-client.js";
export { ForgeError } from "./forge-error.js";
