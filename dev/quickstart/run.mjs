import { bootstrap } from "../toolchain/bootstrap.mjs";

bootstrap();
const { main } = await import("./dist/main.js");
await main(process.argv.slice(2));
