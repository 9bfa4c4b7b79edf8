/**
 * Addresses that a server might resolve to this file without applying the file's restrictions, and addresses that point
 * outside the public folder.
 */
export function pathTricks(file: string): string[] {
    const encoded = file.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    const [folder = "", name = ""] = file.split("/");
    const plain = [
        `/${file}`,
        `/${file}.html`,
        `/${file}.md`,
        `/${file}/`,
        `/${file}.html/`,
        `/${file}/.`,
        `/${file}/index.html`,
        `//${file}`,
        `///${file}.html`,
        `/${folder}//${name}`,
        `/./${file}`,
        `/${folder}/./${name}`,
        `/${folder}/x/../${name}`,
        `/x/../../${file}`,
        `/${folder}/%2e/${name}`,
        `/${folder}/x/%2e%2e/${name}`,
        `/${folder}/x/.%2e/${name}.html`,
        `/${folder}%2f${name}`,
        `/${folder}%2F${name}.html`,
        `/${folder}%5c${name}`,
        `/${folder}\\${name}`,
        `/${encoded}`,
        `/${encoded}%2ehtml`,
        `/${encodeURIComponent(`%${file}`)}`,
        `/${folder}/%25${name}`,
        `/${encoded.replaceAll("%", "%25")}`,
        `/${file}%00`,
        `/${file}.html%00.png`,
        `/${file}%0a`,
        `/${file}%20`,
        `/${file}.`,
        `/${file}..`,
        `/${file}.html.`,
        `/${file}~`,
        `/${file}.html::$DATA`,
        `/${file};a=b`,
        `/;a/${file}`,
        `/..;/${file}`,
        `/${file}?a=b`,
        `/${file}.html?`,
        `/${file}%3fa`,
        `/${file}%23`,
        `/${file.toUpperCase()}`,
        `/${file.toUpperCase()}.HTML`,
        `/${folder}/${name.toUpperCase()}.html`,
        `http://docs.example.com/${file}`,
        `https://docs.example.com//${file}.html`,
        `/healthz/../${file}`,
        `/healthz/${file}`,
        `/index.html/${file}`,
        `/index.html/../${file}`,
    ];
    const folders = [
        "0",
        "1",
        "closed",
        "private/0",
        "srv/site/private/0",
        "_private/-reader",
        "_private",
        "static-export",
    ];
    const roots = ["", "../", "%2e%2e/", "..%2f", "x/../../", "..%5c", "./"];
    const outside = roots.flatMap((root) => folders.map((each) => `/${root}${each}/${file}.html`));
    return [...plain, ...outside];
}
