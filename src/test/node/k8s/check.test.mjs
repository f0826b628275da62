// The check itself: it lets a sound object pass and finds each kind of mistake.
import assert from "node:assert/strict";
import test from "node:test";
import { complaintsOfSchemas } from "./schemas.mjs";
import { complaintsOfRules } from "./rules.mjs";

const knowledge = { settings: new Set(["CAIRN_ROLES"]), secretKeys: new Set(), shutdownSeconds: 30 };

function deployment() {
  const labels = { "app.kubernetes.io/name": "cairn" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "cairn" },
    spec: {
      selector: { matchLabels: { ...labels } },
      template: {
        metadata: { labels: { ...labels } },
        spec: {
          terminationGracePeriodSeconds: 45,
          securityContext: { runAsNonRoot: true, runAsUser: 1001, seccompProfile: { type: "RuntimeDefault" } },
          containers: [
            {
              name: "cairn",
              image: "cairn:jvm",
              env: [{ name: "CAIRN_ROLES", value: "api" }],
              securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
              resources: { requests: { cpu: "1" }, limits: { memory: "1Gi" } },
            },
          ],
        },
      },
    },
  };
}

async function complaints(change, beside = []) {
  const object = deployment();
  change(object, object.spec.template.spec, object.spec.template.spec.containers[0]);
  return (await complaintsOfSchemas([object, ...beside])).concat(complaintsOfRules([object, ...beside], knowledge));
}

test("a sound Deployment passes", async () => assert.deepEqual(await complaints(() => {}), []));

const mistakes = {
  "a field that the schema does not have": [(object, pod) => (pod.readinessProbes = []), /readinessProbes/],
  "a field of the wrong type": [(object) => (object.spec.replicas = "two"), /replicas|number|integer/],
  "a required field that is missing": [(object, pod, container) => delete container.name, /name/],
  "a kind that the version does not have": [(object) => (object.kind = "Deploiment"), /no such kind/],
  "a version without a schema": [(object) => (object.apiVersion = "apps/v1beta1"), /no schema/],
  "a container that may run as root": [(object, pod) => (pod.securityContext.runAsNonRoot = false), /\broot\b/],
  "a root file system that can be written to": [(object, pod, container) => (container.securityContext.readOnlyRootFilesystem = false), /root file system/],
  "an end before the service's own": [(object, pod) => (pod.terminationGracePeriodSeconds = 30), /killed/],
  "a setting that the service does not know": [(object, pod, container) => (container.env[0].name = "CAIRN_ROLE"), /CAIRN_ROLE/],
  "a ConfigMap that is not there": [(object, pod, container) => (container.envFrom = [{ configMapRef: { name: "carin" } }]), /ConfigMap carin/],
  "an image without a version": [(object, pod, container) => (container.image = "cairn"), /may change/],
  "labels that the selector does not take": [(object) => (object.spec.template.metadata.labels = { app: "cairn" }), /own pods/],
};
for (const [what, [change, found]] of Object.entries(mistakes)) {
  test(`${what} is found`, async () => assert.match((await complaints(change)).join("\n"), found));
}

test("what Knative does not take is found", async () => {
  const { spec } = deployment();
  const service = { apiVersion: "serving.knative.dev/v1", kind: "Service", metadata: { name: "cairn" }, spec: { template: spec.template } };
  assert.match((await complaints(() => {}, [service])).join("\n"), /Knative takes no terminationGracePeriodSeconds/);
});

test("a NetworkPolicy for every pod of the namespace is found", async () => {
  const policy = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name: "all" }, spec: { podSelector: {} } };
  assert.match((await complaints(() => {}, [policy])).join("\n"), /NetworkPolicy all: selects no pod, or any/);
});

test("a Service whose port no pod has is found", async () => {
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "cairn" },
    spec: { selector: { "app.kubernetes.io/name": "cairn" }, ports: [{ port: 80, targetPort: "https" }] },
  };
  assert.match((await complaints(() => {}, [service])).join("\n"), /Service cairn: selects no pod/);
});
