const protocols: ReadonlySet<string> = new Set(["https:", "http:", "ssh:", "file:"]);

/** Whether git accepts an address: a full URL with a protocol to which git can be restricted. */
export function isRepositoryUrl(text: string): boolean {
    return URL.canParse(text) && protocols.has(new URL(text).protocol);
}

/** Whether a repository's URL contains a part that may be secret. */
export function mayHoldToken(url: string): boolean {
    const { protocol, username, password, search, hash } = new URL(url);
    // An ssh address contains a user name, such as git.
    const user = protocol === "ssh:" ? "" : username;
    return `${user}${password}${search}${hash}` !== "";
}

/** Implements the rules of git-check-ref-format(1). */
export function isBranchName(name: string): boolean {
    return (
        !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$/.test(name) &&
        name !== "@" &&
        name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"))
    );
}
