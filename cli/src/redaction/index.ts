export { type ConfigurationValues } from "./secrets/configuration-secrets.js";
export { redactConfiguration } from "./redact-configuration.js";
export { type ConfigurationPlaceholders, redactStack, throwAwayPassphrase } from "./redact-stack.js";
export { readStateFile } from "./pulumi/state-file.js";
