{{- define "sealpost.name" -}}
{{- printf "%s-sealpost" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "sealpost.selector" -}}
app.kubernetes.io/name: sealpost
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sealpost.labels" -}}
{{ include "sealpost.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "sealpost.secret" -}}
valueFrom:
  secretKeyRef:
    name: {{ .name }}
    key: {{ .key }}
{{- end -}}
