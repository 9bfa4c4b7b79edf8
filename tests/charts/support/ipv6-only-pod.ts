/** Fetches and serves a site as a pod does, and prints what readers get. Runs in a network without IPv4. */
import { networkInterfaces } from "node:os";
import { archive } from "./archives.js";
import { BundleServer } from "./bundle-server.js";
import { FetchPod } from "./fetch-pod.js";
import { LiveNginx } from "./live-nginx.js";
import { exported, render } from "./render-chart.js";

const families = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ family }) => family));
const server = await BundleServer.start(undefined, "::1");
const pod = await FetchPod.create();
server.serve(await archive([{ name: "index.html", content: "front" }]));
await pod.writeSecret(server.link());
const { exitCode, log } = await pod.run();
const staticExport = { ...exported.staticExport, bundleUrl: server.link() };
const configMap = (await render({ staticExport })).get("ConfigMap/docs-documentation-site")!;
const nginx = await LiveNginx.start(String(process.argv[2]), configMap, pod.path("site"), "", "[::1]");
const page = await (await fetch(nginx.url("/"))).text();
console.log(JSON.stringify({ families, exitCode, log, page }));
await nginx.stop();
await pod.remove();
server.stop();
