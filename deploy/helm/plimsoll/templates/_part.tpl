{{- /*
A part that listens beside the monitors: a Deployment, its Service, and what watches them. `root`: the chart; `part`: its name and command; `values`:
its part of the values; `port`: the name of the port that it listens on; `file`: what its secret mounts, in the folder `volume`; `settings`: those that
the chart decides; `data`: a folder that only one may write, if it has one.
*/}}
{{- define "plimsoll.part" -}}
{{- $name := printf "%s-%s" (include "plimsoll.name" .root) .part }}
{{- $secret := required (printf "%s.existingSecret: which secret has %s?" .part .file) .values.existingSecret }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "plimsoll.partLabels" . | nindent 4 }}
spec:
  {{- if .data }}
  # One writes its files.
  replicas: 1
  strategy: { type: Recreate }
  {{- else }}
  replicas: {{ .values.replicas }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  {{- end }}
  selector:
    matchLabels: {{- include "plimsoll.partSelector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "plimsoll.partLabels" . | nindent 8 }}
        {{- with .root.Values.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- with .root.Values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "plimsoll.name" .root }}
      automountServiceAccountToken: false
      # What Kubernetes tells of a service named `plimsoll-…` would be taken for settings, and refused.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: {{ .part }}
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [{{ .part }}]
          # Its `{{ .file }}` is a file, below; as a variable nobody reads it.
          envFrom:
            - secretRef: { name: {{ $secret }} }
          env:
            {{- $settings := dict "KAFKA_BROKERS" .root.Values.kafka.brokers "KAFKA_SSL" .root.Values.kafka.ssl "PLIMSOLL_TOPIC_PREFIX" .root.Values.topicPrefix }}
            {{- $served := dict "PLIMSOLL_HTTP_HOST" "0.0.0.0" "PLIMSOLL_HTTP_PORT" .root.Values.port }}
            {{- range $setting, $value := merge $settings $served .settings .values.settings }}
            - { name: {{ $setting }}, value: {{ $value | quote }} }
            {{- end }}
          ports:
            - { name: {{ .port }}, containerPort: {{ .values.port }} }
            - { name: metrics, containerPort: {{ .root.Values.port }} }
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 3
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 2
          resources: {{- toYaml .values.resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          volumeMounts:
            - { name: {{ .volume }}, mountPath: /etc/plimsoll/{{ .volume }}, readOnly: true }
            {{- if .data }}
            - { name: data, mountPath: {{ .data }} }
            {{- end }}
      volumes:
        - name: {{ .volume }}
          secret:
            secretName: {{ $secret }}
            defaultMode: 0440
            items: [{ key: {{ .file }}, path: {{ .file }} }]
        {{- if .data }}
        - name: data
          {{- if .values.existingClaim }}
          persistentVolumeClaim: { claimName: {{ .values.existingClaim }} }
          {{- else }}
          emptyDir: {}
          {{- end }}
        {{- end }}
      {{- if not .data }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "plimsoll.partSelector" . | nindent 14 }}
      {{- end }}
      {{- with .root.Values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
---
# For {{ if eq .part "console" }}people{{ else }}agents{{ end }}, and Prometheus at the other port.
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  labels: {{- include "plimsoll.partLabels" . | nindent 4 }}
spec:
  selector: {{- include "plimsoll.partSelector" . | nindent 4 }}
  ports:
    - { name: {{ .port }}, port: {{ .values.port }}, targetPort: {{ .port }} }
    - { name: metrics, port: {{ .root.Values.port }}, targetPort: metrics }
{{- if and .root.Values.podDisruptionBudget.enabled (not .data) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "plimsoll.partLabels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels: {{- include "plimsoll.partSelector" . | nindent 6 }}
{{- end }}
{{- if .root.Values.serviceMonitor.enabled }}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: {{ $name }}
  labels:
    {{- include "plimsoll.partLabels" . | nindent 4 }}
    {{- with .root.Values.serviceMonitor.labels }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  selector:
    matchLabels: {{- include "plimsoll.partSelector" . | nindent 6 }}
  endpoints:
    - { port: metrics, path: /metrics, interval: {{ .root.Values.serviceMonitor.interval }} }
{{- end }}
{{- end }}
