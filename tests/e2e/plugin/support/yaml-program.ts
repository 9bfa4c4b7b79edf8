import { stringify } from "yaml";

/**
 * Returns the files of a YAML program with one bundle and additional resources.
 *
 * @param options - the bundle's options
 */
export function yamlProgram(
    inputs: Record<string, unknown>,
    resources: Record<string, unknown> = {},
    options: Record<string, unknown> = {},
): Record<string, string> {
    const program = {
        name: "e2e",
        runtime: "yaml",
        resources: { docs: { type: "static-export:StaticExportBundle", properties: inputs, options }, ...resources },
        outputs: { jobId: "${docs.jobId}", bundleUrl: "${docs.bundleUrl}", pageCount: "${docs.pageCount}" },
    };
    return { "Pulumi.yaml": stringify(program) };
}
