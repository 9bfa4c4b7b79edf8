/** Inspects the children of a component, which are strings, or lists that begin with their kind. */
export function childrenIn(part) {
    switch (part?.[0]) {
        case "element":
        case "snippet":
            return part[3];
        case "list":
            return part.slice(1);
        default:
            return undefined;
    }
}

export function textIn(parts) {
    return parts
        .map((part) =>
            typeof part === "string" || typeof part === "number" ? String(part) : textIn(childrenIn(part) ?? []),
        )
        .join("");
}

export function optionsIn(parts) {
    return parts.flatMap((part) =>
        part?.[0] === "element" && part[1] === "option" ? [part] : optionsIn(childrenIn(part) ?? []),
    );
}
