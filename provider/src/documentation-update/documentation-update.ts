import { apiSettings, updateType } from "@pulumi-static-export/contract";
import type * as pulumi from "@pulumi/pulumi";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import { updateOutputs } from "./model.js";
import type { PropertiesOf } from "../engine/resource-outputs.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { updateInputs } from "./check.js";

/** The arguments of a {@link DocumentationUpdate}. */
export type DocumentationUpdateArgs = ArgsOf<typeof updateInputs>;

const documentationUpdateClass: ResourceClass = {
    type: "DocumentationUpdate",
    provider: createProvider("documentationUpdate"),
    outputs: updateOutputs,
    secretSettings: [apiSettings.adminApiKey],
};

/**
 * Publishes pushed commits: starts one documentation update of the platform and waits for it. An export with
 * `triggers: [update.commit.apply((commit) => commit?.sha)]` then exports exactly that commit. If the wait times out,
 * fails or is interrupted, the next `pulumi up` resumes it, and starts no second update. If the update fails, the run
 * fails with the platform's summary and its last log lines. Deleting the resource only removes it from the state and
 * makes no request.
 *
 * @example
 * ```ts
 * import { DocumentationUpdate, StaticExportBundle } from "pulumi-static-export";
 *
 * const update = new DocumentationUpdate("docs", { projectId: "docs", expectedCommit: process.env.GITHUB_SHA });
 * const bundle = new StaticExportBundle("docs", {
 *     domain: "docs.example.com",
 *     triggers: [update.commit.apply((commit) => commit?.sha)],
 * });
 * ```
 */
export class DocumentationUpdate extends PlatformResource {
    /** @internal The type that policy packs match on: `validateResourceOfType` does not work without it. */
    public static readonly __pulumiType = updateType;

    constructor(name: string, args: DocumentationUpdateArgs, opts?: pulumi.CustomResourceOptions) {
        super(documentationUpdateClass, name, args, opts);
    }
}

export interface DocumentationUpdate extends PropertiesOf<typeof updateOutputs> {}
