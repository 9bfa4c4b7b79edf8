// Exports a site in this process: programs that an emulator runs cannot start others.
import { exportSite } from "../../../../exporter/dist/write/export-site.js";

const [sourceDir, archivePath] = process.argv.slice(2);
const { pageCount, sha256 } = await exportSite({ sourceDir, archivePath, domain: "docs.example.com" });
console.log(JSON.stringify({ arch: process.arch, pageCount, sha256 }));
