/** A minimal server for comparison, which answers each request with the given text. `node peer-process.ts <text>` */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [, , body = ""] = process.argv;
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
// Uses the service's timeout, which is long, because delayed clients reuse connections that were idle for more than 5
// seconds.
server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
