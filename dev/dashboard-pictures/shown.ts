import { fileURLToPath } from "node:url";
import { fingerprint, textOf } from "../readme-pictures/fingerprint.js";
import { type ExampleService } from "./example-service.js";

/** The file with the fingerprint of what each picture shows. */
export const drawnFile = fileURLToPath(new URL("drawn.json", import.meta.url));

/** The pages whose pictures are in the guide, by the name of the picture's file. */
export const pictured: Readonly<Record<string, string>> = {
    "dashboard-sites.png": "sites",
    "dashboard-site.png": "site",
    "dashboard-job.png": "job",
    "dashboard-new-key.png": "keys",
};

/** Returns the fingerprint of what the code shows today for each picture, to a browser without scripts. */
export async function fingerprints({ service, paths }: ExampleService): Promise<Record<string, string>> {
    const cookie = await signIn(service.createSignInLink() ?? "");
    const found: Record<string, string> = {};
    for (const [file, page] of Object.entries(pictured)) {
        const response = await fetch(`${service.url}/dashboard${paths[page]}`, { headers: { cookie } });
        if (!response.ok) {
            throw new Error(`The page ${page} answered ${response.status}.`);
        }
        const text = textOf(await response.text());
        found[file] = fingerprint(text.replace(/\blast on \S+/g, "last on this machine"));
    }
    return found;
}

/** @returns the session's cookie */
async function signIn(link: string): Promise<string> {
    const response = await fetch(link, { redirect: "manual" });
    const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    return cookies.join("; ");
}
