/** The answers of the API: our service sends them as declared here, and clients read what other platforms send. */
export * from "./administration.js";
export * from "./agent-job.js";
export * from "./documentation-update.js";
export * from "./fields.js";
export * from "./static-export.js";
