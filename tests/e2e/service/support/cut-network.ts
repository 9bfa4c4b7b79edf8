import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Networks of concurrent specs have different names, which contain the process id. */
const name = `cut-${process.pid}`;
const network = `10.${200 + (process.pid % 50)}.${process.pid % 251}`;

/**
 * A separate network for processes, with one link to this machine. When the link is cut, packets are lost silently, as
 * between machines. Needs root on Linux.
 */
export class CutNetwork {
    /** The address at which processes in the network reach servers on this machine. */
    readonly hostAddress = `${network}.1`;
    /** Runs a program, passed as the last arguments, in the network. */
    readonly commandPrefix = ["ip", "netns", "exec", name];

    static isPossible(): Promise<boolean> {
        return process.getuid?.() === 0
            ? run("ip", ["netns", "list"]).then(
                  () => true,
                  () => false,
              )
            : Promise.resolve(false);
    }

    static async create(): Promise<CutNetwork> {
        const created = new CutNetwork();
        const inside = ["netns", "exec", name, "ip"];
        for (const args of [
            ["netns", "add", name],
            ["link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name],
            ["address", "add", `${network}.1/24`, "dev", name],
            ["link", "set", name, "up"],
            [...inside, "address", "add", `${network}.2/24`, "dev", "eth0"],
            [...inside, "link", "set", "lo", "up"],
            [...inside, "link", "set", "eth0", "up"],
        ]) {
            await run("ip", args);
        }
        return created;
    }

    async cut(): Promise<void> {
        await this.#setLink("down");
    }

    async restore(): Promise<void> {
        await this.#setLink("up");
    }

    async remove(): Promise<void> {
        await run("ip", ["netns", "delete", name]);
    }

    /** Cuts only the inner end, so that servers on this machine keep their address. */
    async #setLink(state: "up" | "down"): Promise<void> {
        await run("ip", ["netns", "exec", name, "ip", "link", "set", "eth0", state]);
    }
}
