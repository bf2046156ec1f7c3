{{- define "plimsoll.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "plimsoll.selector" -}}
app.kubernetes.io/name: plimsoll
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "plimsoll.labels" -}}
{{ include "plimsoll.selector" . }}
app.kubernetes.io/component: monitor
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* The variable that names the mounted files of one kind of document. */}}
{{- define "plimsoll.files" -}}
{{- $folder := .folder }}{{ range $i, $name := keys .files | sortAlpha }}{{ if $i }},{{ end }}/etc/plimsoll/{{ $folder }}/{{ $name }}{{ end }}
{{- end }}

{{- /* Gateways are told apart by their name: the monitors' selector takes every pod of its own. */}}
{{- define "plimsoll.gatewaySelector" -}}
app.kubernetes.io/name: plimsoll-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "plimsoll.gatewayLabels" -}}
{{ include "plimsoll.gatewaySelector" . }}
app.kubernetes.io/component: gateway
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}
