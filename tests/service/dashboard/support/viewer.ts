import assert from "node:assert/strict";
import { join } from "node:path";
import { domain, type RunningService, withFolder, withServiceOver } from "../../support/running-service.js";
import { copyingExporter } from "../../support/scripted-exporter.js";

export const other = "other.example.com";
export const page = "/dashboard";

export interface Viewer {
    get: (
        path: string,
        headers?: Record<string, string>,
    ) => Promise<{ status: number; text: string; headers: Headers }>;
    head: (path: string, headers?: Record<string, string>) => Promise<{ status: number }>;
    /** Asks for something that does not end, and leaves after its beginning. */
    open: (path: string) => Promise<void>;
    /** Sends a form with the token of the page at `from`. */
    post: (
        path: string,
        form: Record<string, string> | URLSearchParams,
        from?: string,
        headers?: Record<string, string>,
    ) => Promise<{ status: number; text: string; headers: Headers }>;
    cookies: Map<string, string>;
}

/** A browser without scripts. */
export function createViewer({ service }: { service: { url: string } }): Viewer {
    const cookies = new Map<string, string>();
    const send = async (path: string, init: RequestInit = {}) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const url = path.startsWith("http") ? path : service.url + path;
        const response = await fetch(url, { redirect: "manual", ...init, headers: { ...init.headers, cookie } });
        for (const line of response.headers.getSetCookie()) {
            const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
            cookies.set(name, value);
        }
        return { status: response.status, text: await response.text(), headers: response.headers };
    };
    return {
        cookies,
        get: (path, headers = {}) => send(path, { headers }),
        head: (path, headers = {}) => send(path, { method: "HEAD", headers, signal: AbortSignal.timeout(10_000) }),
        async open(path) {
            const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
            const response = await fetch(service.url + path, { headers: { cookie } });
            assert.equal(response.status, 200);
            await response.body?.cancel();
        },
        async post(path, form, from = `${page}/sites`, headers = {}) {
            const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec((await send(from)).text) ?? [];
            const body = new URLSearchParams(form);
            if (!body.has("_csrf")) {
                body.set("_csrf", token);
            }
            return send(path, {
                method: "POST",
                headers,
                body,
            });
        },
    };
}

/** Opens a link that signs the operator in, and presses its button. */
export async function openLink(viewer: Viewer, link: string) {
    const { searchParams } = new URL(link);
    return viewer.post(`${page}/sign-in/link`, { link: searchParams.get("link") ?? "" }, link);
}

export async function signIn(running: Pick<RunningService, "service">, key: string): Promise<Viewer> {
    const viewer = createViewer(running);
    const { status } = await viewer.post(`${page}/sign-in`, { key }, `${page}/sign-in`);
    assert.equal(status, 303);
    return viewer;
}

export async function withDashboard(use: (running: RunningService, log: string[]) => Promise<void>, options = {}) {
    const log: string[] = [];
    const logger = { info: (line: string) => void log.push(line), error: (line: string) => void log.push(line) };
    await withFolder((folder) => {
        const sites = { [domain]: join(folder, "site"), [other]: join(folder, "site") };
        const projects = { docs: { repository: "https://git.example.com/docs" } };
        const settings = { sites, projects, logger, exporter: copyingExporter, ...options };
        return withServiceOver(folder, settings, (running) => use(running, log));
    });
}

export async function makeKey({ request }: RunningService, json: object): Promise<{ id: string; secret: string }> {
    const { status, text } = await request("POST", "/v1/keys", { json });
    assert.equal(status, 201, text);
    const { key, secret } = JSON.parse(text) as { key: { id: string }; secret: string };
    return { id: key.id, secret };
}
