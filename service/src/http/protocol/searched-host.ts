/** The host of a pasted address of a site or a page; of every other search, the text itself. */
export function searchedHost(search: string): string {
    const text = search.trim().toLowerCase();
    const [beginning = "", ...rest] = text.split("/");
    // Copied from a browser, an address may lack its protocol.
    const isHost = rest.length > 0 && beginning.includes(".") && !/\s/.test(beginning);
    const address = /^https?:\/\//.test(text) ? text : isHost ? `https://${text}` : "";
    return URL.canParse(address) ? new URL(address).hostname : text;
}
