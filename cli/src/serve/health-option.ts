import { type HealthAddress } from "@pulumi-static-export/service";
import { InvalidArgumentError, Option } from "commander";

export function healthOption(): Option {
    return new Option(
        "--health <host:port>",
        "answer /livez, /readyz and /metrics there, without a key (default: nowhere)",
    ).argParser(readHealthAddress);
}

function readHealthAddress(text: string): HealthAddress {
    const [, host, port] =
        /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text)?.filter((part) => part !== undefined) ?? [];
    if (host === undefined || Number(port) > 65_535) {
        throw new InvalidArgumentError("Write it as 127.0.0.1:9090, or as 0.0.0.0:9090 for every address.");
    }
    return { host, port: Number(port) };
}
