import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { type PrivateCertificate } from "../../support/private-certificate.js";
import { exported, podTemplate, render } from "../../support/render-chart.js";

/** The address of the site in these specs. */
export const siteUrl = "http://docs.example.com";

export interface ProviderOptions {
    address?: string;
    /** The address of the site or service that people sign in to. */
    url?: string;
    path?: string;
    /** @default plain HTTP */
    certificate?: Pick<PrivateCertificate, "keyFile" | "file">;
}

/** Starts an identity provider in a separate process, with a reader for each combination of groups. */
export async function startIdentityProvider(
    port: number,
    { address = "127.0.0.1", url = siteUrl, path = "/oauth2/callback", certificate }: ProviderOptions = {},
): Promise<ChildProcess> {
    const script = fileURLToPath(new URL("identity-provider.mjs", import.meta.url));
    const files = certificate === undefined ? [] : [certificate.keyFile, certificate.file];
    const child = spawn(process.execPath, [script, address, String(port), `${url}${path}`, ...files], {
        stdio: ["ignore", "pipe", "ignore"],
    });
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    assert.equal(child.exitCode, null, "the identity provider ended at once");
    return child;
}

/** Starts oauth2-proxy with the chart's arguments, except for a different port. */
export async function startSignIn(values: object, port: number, cookieSecret: string): Promise<ChildProcess> {
    const { initContainers } = podTemplate(await render({ ...exported, ...values })).spec;
    const args = (initContainers.find(({ name }) => name === "sign-in")?.args ?? []) as string[];
    const child = spawn(
        await ensureTool("oauth2-proxy"),
        args.map((arg) => arg.replace(":4180", `:${port}`)),
        {
            stdio: "ignore",
            env: { OAUTH2_PROXY_CLIENT_SECRET: "client-secret", OAUTH2_PROXY_COOKIE_SECRET: cookieSecret },
        },
    );
    for (let attempt = 0; attempt < 3000 && child.exitCode === null; attempt++) {
        const response = await fetch(`http://127.0.0.1:${port}/oauth2/ping`).catch(() => undefined);
        if (response?.ok) {
            break;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return child;
}

export async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode === null && child.kill("SIGKILL")) {
        await once(child, "exit");
    }
}
