/** Requests every page of the sitemap and checks that each has its own content. Returns the number of pages. */
export async function checkSite(address: string, signal: AbortSignal): Promise<number> {
    const sitemap = await get(new URL("sitemap.xml", address), signal);
    const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location = ""]) => new URL(location).pathname);
    if (paths.length === 0) {
        throw new Error(`The sitemap of ${address} names no page.`);
    }
    const titles = new Map<string, string>();
    for (const path of paths) {
        const page = await get(new URL(path, address), signal);
        const title = /<h1[^>]*>(.*?)<\/h1>/s
            .exec(page)?.[1]
            ?.replace(/<[^>]*>/g, "")
            .trim();
        if (!title) {
            throw new Error(`${path} of ${address} answers without a heading.`);
        }
        const twin = titles.get(title);
        if (twin !== undefined) {
            throw new Error(`${path} of ${address} answers with the content of ${twin}.`);
        }
        titles.set(title, path);
    }
    return paths.length;
}

async function get(url: URL, signal: AbortSignal): Promise<string> {
    const response = await fetch(url, { signal });
    if (!response.ok) {
        throw new Error(`${url.href} answers ${response.status}.`);
    }
    return response.text();
}
