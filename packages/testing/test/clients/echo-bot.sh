#!/bin/bash
# An echo bot, written from the documentation alone with bash, curl and openssl. It answers texts, and no more.
set -u
version=3.7.2
state=$SEALPOST_STATE_DIR/echo-bot
access='' mid='' revision='' number=$(date +%s)

hex() { od -An -v -tx1 | tr -d ' \n'; }
sha256() { printf %s "$1" | openssl dgst -sha256 -binary; }
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary; }

# usage: sign TOKEN PATH BODY
sign() {
  local key
  key=$({ sha256 $version; sha256 "$1"; } | hmac "$(printf %s "$SEALPOST_BUILD_TOKEN" | hex)" | hex)
  printf %s%s "$2" "$3" | hmac "$key" | openssl base64 -A
}

# usage: headers TOKEN PATH BODY; sets the array `headers`
headers() {
  headers=(-H "Content-Type: application/json" -H "X-$SEALPOST_BRAND-Client-Version: $version" -H "X-LAL: en_US"
    -H "Accept-Language: en-US" -H "X-Hmac: $(sign "$1" "$2" "$3")")
  [ -n "$1" ] && headers+=(-H "X-$SEALPOST_BRAND-Access: $1")
}

# usage: call SERVICE METHOD ARGUMENTS; prints the answer
call() {
  local path=/api/talk/thrift/Talk/$1/$2
  headers "$access" "$path" "$3"
  curl -s "${headers[@]}" --data-binary "$3" "$SEALPOST_URL$path"
}

# usage: field NAME JSON; prints the value of the first such field, as it stands in the JSON
field() {
  local string="\"$1\":\"(([^\"\\\\]|\\\\.)*)\"" plain="\"$1\":([^,}]*)"
  if [[ $2 =~ $string ]]; then printf %s "${BASH_REMATCH[1]}"; elif [[ $2 =~ $plain ]]; then printf %s "${BASH_REMATCH[1]}"; fi
}

# usage: encrypt KEY; prints the credential encrypted with RSA
encrypt() {
  local key=$1 part
  cat >"$state.asn1" <<ASN1
asn1=SEQUENCE:info
[info]
algorithm=SEQUENCE:rsa
key=BITWRAP,SEQUENCE:key
[rsa]
oid=OID:rsaEncryption
none=NULL
[key]
n=INTEGER:0x$(field nvalue "$key")
e=INTEGER:0x$(field evalue "$key")
ASN1
  openssl asn1parse -genconf "$state.asn1" -out "$state.der" -noout
  for part in "$(field sessionKey "$key")" "$SEALPOST_USERID" "$SEALPOST_PASSWORD"; do
    printf "\\x$(printf %02x ${#part})%s" "$part"
  done | openssl pkeyutl -encrypt -pubin -keyform DER -inkey "$state.der" -pkeyopt rsa_padding_mode:pkcs1 | hex
}

log_in() {
  local key request answer
  key=$(call TalkService getRSAKeyInfo '[1]')
  request='[{"type":0,"identityProvider":1,"identifier":"'$(field keynm "$key")'","password":"'$(encrypt "$key")'","keepLoggedIn":true,"accessLocation":"","systemName":"echo-bot.sh","modelName":"","certificate":"","verifier":"","secret":"","e2eeVersion":1}]'
  answer=$(call AuthService loginV2 "$request")
  access=$(field accessToken "$answer") mid=$(field mid "$answer")
  [ -n "$access" ] || { echo "login: $answer" >&2; exit 1; }
}

# usage: answer OPERATION
answer() {
  local text from to
  [ "$(field type "$1")" = 26 ] || return
  [[ $1 == *'"text":"'* ]] || return
  text=$(field text "$1") from=$(field from "$1") to=$(field to "$1")
  [ "$to" = "$mid" ] && to=$from
  number=$((number + 1))
  call TalkService sendMessage "[$number,{\"to\":\"$to\",\"text\":\"echo: $text\",\"contentType\":0}]" >/dev/null
}

follow() {
  local line path="/api/operation/receive?localRev=$revision&version=$version&language=en_US"
  headers "$access" "$path" ''
  while IFS= read -r line; do
    case $line in
      'data: {"revision"'*) answer "${line#data: }"; revision=$(field revision "$line"); echo "$revision" >"$state.revision" ;;
    esac
  done < <(curl -sN "${headers[@]}" -H 'Accept: text/event-stream' "$SEALPOST_URL$path")
}

log_in
revision=$(cat "$state.revision" 2>/dev/null) || revision=$(field data "$(call TalkService getLastOpRevision '[]')")
while :; do
  follow
  sleep 1
done
