import { statfs } from "node:fs/promises";
import { containerdSocket } from "../control-plane/components.js";
import { imageName, type ImageSettings } from "./archive-image.js";

/** The command that controls the node's containerd. */
export const containerd = ["ctr", "--address", containerdSocket, "--namespace", "k8s.io"];

const overlayFileSystem = 0x794c7630;

/**
 * Chooses the snapshotter that copies layers if the folder is on an overlay, as in most containers: no other overlay
 * can be mounted there.
 */
export async function suitableSnapshotter(stateFolder: string): Promise<string> {
    return (await statfs(stateFolder)).type === overlayFileSystem ? "native" : "overlayfs";
}

/** Returns the command that imports an image into containerd, so that the node's pods can use it. */
export function importCommand(image: ImageSettings, archive: string, snapshotter: string): string[] {
    const options = ["--snapshotter", snapshotter, "--base-name", imageName(image)];
    return [...containerd, "images", "import", ...options, archive];
}
