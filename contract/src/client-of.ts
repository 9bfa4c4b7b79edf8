/** The client of an address, for limits: an IPv6 network gives its users a whole /64, so that counts as one client. */
export function clientOf(address: string): string {
    const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
    const url = `http://[${address.split("%", 1)[0]}]`;
    if (mapped !== undefined || !URL.canParse(url)) {
        return mapped ?? address;
    }
    const [head = "", tail = ""] = new URL(url).hostname.slice(1, -1).split("::");
    const groups = (text: string): string[] => text.split(":").filter((group) => group !== "");
    const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill("0");
    return `${[...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(":")}::/64`;
}
