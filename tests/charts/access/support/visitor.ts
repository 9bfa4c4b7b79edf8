import { type Answer, type Ask, type PrivatePod, send } from "./private-pod.js";
import { siteUrl } from "./sign-in.js";

/** A minimal browser for signing in: it keeps cookies for each host and follows redirects. */
export class Visitor {
    readonly #cookies = new Map<string, Map<string, string>>();
    readonly #pod: PrivatePod;

    constructor(pod: PrivatePod, account?: { name: string; provider: string }) {
        this.#pod = pod;
        if (account) {
            this.cookiesOf(account.provider).set("account", account.name);
        }
    }

    cookiesOf(url: string): Map<string, string> {
        const { host } = new URL(url);
        const cookies = this.#cookies.get(host) ?? new Map<string, string>();
        this.#cookies.set(host, cookies);
        return cookies;
    }

    /** Requests a path of the site with the cookies received so far. */
    async ask(path: string, asked: Ask = {}): Promise<Answer> {
        return this.#request(`${siteUrl}${path}`, asked);
    }

    /** Opens a page and follows all redirects. */
    async open(path: string): Promise<Answer & { url: string }> {
        let url = `${siteUrl}${path}`;
        for (let redirects = 0; redirects < 20; redirects++) {
            const answer = await this.#request(url, { headers: { accept: "text/html" } });
            if (answer.headers.location === undefined) {
                return { ...answer, url };
            }
            url = new URL(answer.headers.location, url).href;
        }
        throw new Error(`${path} redirects without end`);
    }

    async #request(url: string, { method, headers }: Ask): Promise<Answer> {
        const { host, hostname, port } = new URL(url);
        const cookies = this.cookiesOf(url);
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const path = url.slice(url.indexOf("/", "http://".length));
        const asked: Ask = {
            ...(method === undefined ? {} : { method }),
            headers: { host, ...headers, ...(cookie === "" ? {} : { cookie }) },
        };
        const answer =
            host === new URL(siteUrl).host
                ? await this.#pod.ask(path, asked)
                : await send({ hostname, port: Number(port) }, path, asked);
        for (const line of answer.headers["set-cookie"] ?? []) {
            const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
            if (value === "" || /expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) {
                cookies.delete(name);
            } else {
                cookies.set(name, value);
            }
        }
        return answer;
    }
}
