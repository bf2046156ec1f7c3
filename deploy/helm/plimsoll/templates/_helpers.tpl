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

{{- /* Gateways and the console are told apart by their name: the monitors' selector takes every pod of its own. */}}
{{- define "plimsoll.partSelector" -}}
app.kubernetes.io/name: plimsoll-{{ .part }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}

{{- define "plimsoll.partLabels" -}}
{{ include "plimsoll.partSelector" . }}
app.kubernetes.io/component: {{ .part }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}
