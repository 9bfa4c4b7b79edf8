import { pipelineSystems } from "@pulumi-static-export/contract";

/** Nor is a spec part of the pipeline's run that runs it: it would find the jobs of other specs. */
const ciMarkers = Object.values(pipelineSystems).map(({ marker }): [string, undefined] => [marker, undefined]);

/**
 * The settings of who runs the specs, taken out of the environment: who works on this may work with a platform, too, and
 * specs about a key that is missing must not find one.
 */
export const withoutSettings = {
    STATIC_EXPORT_BASE_URL: undefined,
    STATIC_EXPORT_ADMIN_API_KEY: undefined,
    STATIC_EXPORT_ADMIN_KEY_PREFIX: undefined,
    STATIC_EXPORT_RUN_ID: undefined,
    CI: undefined,
    ...Object.fromEntries(ciMarkers),
};
