import { isRecord } from "@pulumi-static-export/contract";
import { type JsonObject } from "../redaction/pulumi/marked-values.js";
import { type StateFile } from "../redaction/pulumi/state-file.js";
import { resourcesOf } from "../redaction/pulumi/stack-resource.js";

/** A stack whose outputs the program reads, as its last deployment has stored them. */
interface ReferencedStack {
    project: string;
    stack: string;
    /** A state that contains only the outputs, for `pulumi stack import`. */
    state: StateFile;
}

const referenceType = "pulumi:pulumi:StackReference";

/**
 * The stacks that a deployed program references. Their secret outputs stay encrypted as they are in the program's
 * state, so their states have its `secrets_providers`.
 *
 * @param project - the project of references that name only a stack
 */
export function referencedStacks({ version, deployment }: StateFile, project: string): ReferencedStack[] {
    const found = new Map<string, ReferencedStack>();
    for (const { type, inputs, outputs } of resourcesOf(deployment)) {
        const name = type === referenceType ? (outputs?.["name"] ?? inputs?.["name"]) : undefined;
        const values = outputs?.["outputs"];
        if (typeof name !== "string" || !isRecord(values)) {
            continue;
        }
        // STACK, ORGANIZATION/STACK or ORGANIZATION/PROJECT/STACK.
        const [stack = name, owner, organization] = name.split("/").toReversed();
        const ownProject = organization === undefined ? project : (owner ?? project);
        found.set(`${ownProject}/${stack}`, {
            project: ownProject,
            stack,
            state: { version, deployment: stateOf(ownProject, stack, values, deployment) },
        });
    }
    return [...found.values()];
}

function stateOf(project: string, stack: string, outputs: JsonObject, deployment: JsonObject): JsonObject {
    const type = "pulumi:pulumi:Stack";
    const urn = `urn:pulumi:${stack}::${project}::${type}::${project}-${stack}`;
    return {
        ...(deployment["manifest"] === undefined ? {} : { manifest: deployment["manifest"] }),
        secrets_providers: deployment["secrets_providers"],
        resources: [{ urn, custom: false, type, outputs }],
    };
}

/** What to do if Pulumi cannot read a stack reference in a redacted preview. */
export function adviceOnReferences(output: string): string | undefined {
    const [, unknown] = /unknown stack \\?"([^"\\]+)/.exec(output) ?? [];
    if (unknown !== undefined) {
        return (
            `The redacted stack lacks the outputs of ${unknown}, because no deployed program has referenced it yet: ` +
            "deploy the reference, and write the redacted stack again."
        );
    }
    return output.includes("organization name must be 'organization'")
        ? "A redacted preview runs without Pulumi Cloud, so stack references need the form organization/PROJECT/STACK: " +
              "let the program read the name from its configuration, and pass the name in that form to the preview, " +
              "for example with -- --config network=organization/network/prod."
        : undefined;
}
