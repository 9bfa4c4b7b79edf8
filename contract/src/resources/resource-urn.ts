/** The parts of a resource's URN. */
export interface ResourceIdentity {
    project: string;
    stack: string;
    /** The resource's own type token, without its parents'. */
    type: string;
    name: string;
}

/**
 * Parses `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`; only the name may contain `::`. Returns undefined for strings
 * of any other form.
 */
export function parseUrn(urn: string): ResourceIdentity | undefined {
    const [, stack, project, types, name] = /^urn:pulumi:([^:]+)::([^:]+)::((?:[^:]|:(?!:))+)::(.*)$/s.exec(urn) ?? [];
    const type = types?.split("$").at(-1);
    return stack === undefined || project === undefined || !type || name === undefined
        ? undefined
        : { project, stack, type, name };
}
