export interface UrnParts {
    stack: string;
    project: string;
    /** The resource's own type, without its parents'. */
    type: string;
    name: string;
}

/** The parts of `urn:pulumi:stack::project::parent$type::name`. What is missing is empty; a name may hold `::`. */
export function parseUrn(urn: string): UrnParts {
    const [head = "", project = "", types = "", ...rest] = urn.split("::");
    return {
        stack: head.replace(/^urn:pulumi:/, ""),
        project,
        type: types.slice(types.lastIndexOf("$") + 1),
        name: rest.join("::"),
    };
}
