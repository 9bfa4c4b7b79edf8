import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramUser } from "./program-user.js";

type Command = readonly [string, ...string[]];

/** The addresses of the network itself; no machine has them. */
const [address, gateway, prefixLength] = ["169.254.2.1", "169.254.2.2", "30"];

/**
 * Networks that are not public (https://www.iana.org/assignments/iana-ipv4-special-registry), and the address at which
 * Azure serves the credentials of machines.
 */
const closedNetworks = [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
    ...["192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"],
];

/**
 * Starts the program in its own network, and then pasta, which connects this network to the machine's. Both end with
 * the script, because they are in its process namespace. The program's own sandbox takes away the right to change the
 * routes.
 */
const script = `
folder=$1 closed=$2 open=$3
shift 3
PROGRAMS=$PATH:/usr/sbin:/sbin
mkfifo "$folder/ready" "$folder/connected" || exit 1
PATH=$PROGRAMS unshare --user --map-root-user --net /bin/sh -c '
    folder=$1 closed=$2 open=$3 PATH=$4 own=$5
    shift 5
    echo > "$folder/ready"
    read -r state < "$folder/connected" && test "$state" = yes || exit 1
    for network in $closed; do ip route replace unreachable "$network" || exit 1; done
    for network in $open; do ip route replace "$network" via ${gateway} || exit 1; done
    PATH=$own
    exec "$@"
' sh "$folder" "$closed" "$open" "$PROGRAMS" "$PATH" "$@" &
program=$!
read -r state < "$folder/ready"
if PATH=$PROGRAMS pasta --quiet --config-net --ipv4-only --address ${address} --netmask ${prefixLength} \\
    --gateway ${gateway} --dns-forward ${gateway} --no-map-gw -t none -u none -T none -U none "$program" \\
    > "$folder/log" 2>&1 < /dev/null
then echo yes > "$folder/connected"
else
    grep -v syslog "$folder/log" >&2
    echo no > "$folder/connected"
fi
wait "$program"
`;

/** A program's network. */
interface ProgramNetwork {
    /** Returns the command that runs the given one in the network. */
    wrap(command: Command): Command;
    /** Tells programs their name server. */
    readonly resolvConf: string;
}

/**
 * A network that reaches public addresses, and neither this machine, private networks nor the metadata services of
 * clouds. It needs no privileges: `pasta` of https://passt.top forwards its connections as sockets.
 */
export class UserModeNetwork {
    /** @param reach private networks that programs may reach */
    private constructor(private readonly reach: readonly string[]) {}

    /**
     * @param user runs the programs
     * @returns why the machine cannot provide such a network, if it cannot
     */
    static open(reach: readonly string[], env: NodeJS.ProcessEnv, user?: ProgramUser): UserModeNetwork | string {
        const network = new UserModeNetwork(reach);
        const folder = mkdtempSync(join(tmpdir(), "static-export-network-"));
        try {
            // The sandbox needs its own user namespace and view of processes, too.
            const sandbox = ["bwrap", "--unshare-all", "--share-net", "--ro-bind", "/", "/", "--proc", "/proc"];
            chmodSync(folder, 0o777);
            const command = network.#commandIn(folder, [sandbox[0] ?? "", ...sandbox.slice(1), "true"]);
            const [program, ...args] = user?.wrap(command, folder, []) ?? command;
            const { error, status, stderr } = spawnSync(program, args, {
                env: { PATH: env["PATH"] ?? "/usr/bin:/bin" },
                encoding: "utf8",
                timeout: 10_000,
                killSignal: "SIGKILL",
            });
            const reason = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
            return status === 0
                ? network
                : `their network needs the packages passt and iproute2, /dev/net/tun for every user, and user namespaces (${reason})`;
        } finally {
            rmSync(folder, { recursive: true, force: true });
        }
    }

    /** @param folder an empty folder that the program cannot change */
    async connect(folder: string): Promise<ProgramNetwork> {
        await mkdir(folder, { recursive: true });
        const resolvConf = join(folder, "resolv.conf");
        await writeFile(resolvConf, `nameserver ${gateway}\n`, { mode: 0o644 });
        return { resolvConf, wrap: (command) => this.#commandIn(folder, command) };
    }

    #commandIn(folder: string, command: Command): Command {
        const own = Object.values(networkInterfaces())
            .flatMap((addresses) => addresses ?? [])
            .flatMap(({ family, address: each, internal }) => (family === "IPv4" && !internal ? [`${each}/32`] : []));
        return [
            "bwrap",
            ...["--unshare-user", "--die-with-parent", "--dev-bind", "/", "/"],
            // Unlike bubblewrap, this program shows all of /proc, so that the sandbox may have its own /proc.
            ...["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"],
            ...["/bin/sh", "-c", script, "sh", folder, [...closedNetworks, ...own].join(" "), this.reach.join(" ")],
            ...command,
        ];
    }
}
