// Holds each object that deploy/k8s makes against the schema of its API version, unknown fields too, and
// against what the objects ask of each other and of the service. Run it from here: npm run check.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { parseAllDocuments } from "yaml";
import { complaintsOfSchemas } from "./schemas.mjs";
import { complaintsOfRules } from "./rules.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const project = join(here, "../../../..");
const manifests = join(project, "deploy/k8s");
const overlays = ["base", "knative", "split", "dev", "migrate"];

function objects(text) {
  return parseAllDocuments(text, { version: "1.1" }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}

function render(overlay) {
  const made = spawnSync("kubectl", ["kustomize", join(manifests, overlay)], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`kubectl kustomize ${overlay}: ${made.stderr}`);
  return objects(made.stdout);
}

// What there is of an overlay without kubectl: its files, unpatched.
function files(overlay) {
  return readdirSync(join(manifests, overlay))
    .filter((name) => name.endsWith(".yaml") && name !== "kustomization.yaml")
    .flatMap((name) => objects(readFileSync(join(manifests, overlay, name), "utf8")));
}

const project_text = (path) => readFileSync(join(project, path), "utf8");
const knowledge = {
  settings: new Set(project_text("docs/configuration.md").match(/`[A-Z][A-Z0-9_]+`/g).map((name) => name.slice(1, -1))),
  secretKeys: new Set(
    project_text("deploy/k8s/base/secret.example.yaml").match(/^ {2}(?:# )?[A-Z_]+(?=:)/gm).map((key) => key.replace(/[ #]/g, ""))),
  shutdownSeconds: Number(/`CAIRN_STOP_TIMEOUT` \| `PT(\d+)S`/.exec(project_text("docs/configuration.md"))[1]),
};

const renders = spawnSync("kubectl", ["version", "--client"]).status === 0;
if (!renders) console.log("There is no kubectl: the files are checked one by one, and not what the overlays make of them.");

const complaints = [];
let checked = 0;
const example = objects(project_text("deploy/k8s/base/secret.example.yaml"));
const made = new Map(overlays.map((overlay) => [overlay, renders ? render(overlay) : files(overlay)]));
made.set("base/secret.example.yaml", example);
for (const [overlay, list] of made) {
  checked += list.length;
  complaints.push(...(await complaintsOfSchemas(list)).map((text) => `${overlay}: ${text}`));
  if (renders && overlays.includes(overlay)) {
    complaints.push(...complaintsOfRules(list, knowledge).map((text) => `${overlay}: ${text}`));
  }
}
for (const folder of readdirSync(manifests)) {
  if (existsSync(join(manifests, folder, "kustomization.yaml")) && !overlays.includes(folder)) {
    complaints.push(`${folder}: no overlay that is checked here`);
  }
}

complaints.forEach((text) => console.error(text));
console.log(`${checked} objects checked in ${made.size} places, ${complaints.length} complaints.`);
process.exit(complaints.length === 0 ? 0 : 1);
