/**
 * Runs clients in a separate process: `tsx load-process.ts <JSON of settings>`. Writes the result as JSON before the
 * process exits.
 */
import { setMaxListeners } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Clients } from "./clients.js";
import type { DownloadLoad, Downloaded, Polled, PollLoad } from "./load.js";

const settings = JSON.parse(process.argv[2] ?? "{}") as PollLoad | DownloadLoad;
const clients = new Clients(settings.url, settings.key);
const result = "pollers" in settings ? await poll(settings) : await downloadUntilInputEnds(settings);
process.stdout.write(JSON.stringify(result));
clients.close();

async function poll(load: PollLoad): Promise<Polled> {
    const lag = monitorEventLoopDelay({ resolution: 1 });
    lag.enable();
    const polled = await clients.poll(load);
    lag.disable();
    return { ...polled, lagMs: lag.percentile(99) / 1e6 };
}

async function downloadUntilInputEnds({ link, downloads, bytesPerSecond }: DownloadLoad): Promise<Downloaded> {
    const ended = new AbortController();
    setMaxListeners(2 * downloads + 1, ended.signal);
    process.stdin.resume().once("end", () => ended.abort());
    const all = Array.from({ length: downloads }, () => clients.downloadAgain(link, ended.signal, bytesPerSecond));
    const bytes = (await Promise.all(all)).reduce((sum, each) => sum + each, 0);
    return { bytes };
}
