#!/usr/bin/env python3
"""An echo bot, written from the documentation alone with Python's standard library. It does not seal."""
import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import secrets
import sys
import time
import urllib.parse

URL = urllib.parse.urlsplit(os.environ["SEALPOST_URL"])
USERID = os.environ["SEALPOST_USERID"]
PASSWORD = os.environ["SEALPOST_PASSWORD"]
BUILD_TOKEN = os.environ["SEALPOST_BUILD_TOKEN"]
BRAND = os.environ["SEALPOST_BRAND"]
STATE = os.path.join(os.environ["SEALPOST_STATE_DIR"], "echo_bot.json")
VERSION = "3.7.2"
SILENCE_S = 30
RECEIVE_MESSAGE, INVITED = 26, 124


class Refused(Exception):
    """The gateway refused a call. `code` is the talk code if there is one, else the code of the gateway."""

    def __init__(self, status, answer, retry_after=None):
        data = answer.get("data") or {}
        self.status, self.retry_after = status, retry_after
        self.code = data.get("code", answer.get("code")) if isinstance(data, dict) else answer.get("code")
        super().__init__(f"HTTP {status}, code {self.code}: {answer.get('message')}")

    @property
    def wants_renewal(self):
        return self.code == 119 or (self.status == 401 and self.code not in (1, 8))

    @property
    def is_passing(self):
        return self.status >= 500 or self.code in (4, 101, 115)


def load():
    try:
        with open(STATE, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"reqSeq": 1}


state = load()


def save():
    with open(STATE + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.replace(STATE + ".new", STATE)


def sign(token, path, body):
    parts = hashlib.sha256(VERSION.encode()).digest() + hashlib.sha256(token.encode()).digest()
    key = hmac.new(BUILD_TOKEN.encode(), parts, hashlib.sha256).digest()
    return base64.b64encode(hmac.new(key, path.encode() + body, hashlib.sha256).digest()).decode()


def connect(timeout):
    kind = http.client.HTTPSConnection if URL.scheme == "https" else http.client.HTTPConnection
    return kind(URL.netloc, timeout=timeout)


def exchange(verb, path, body=b"", token="", timeout=20, headers=None):
    """Makes one request, and returns the connection and the answer."""
    connection = connect(timeout)
    sent = {
        "Content-Type": "application/json",
        f"X-{BRAND}-Client-Version": VERSION,
        "X-LAL": "en_US",
        "Accept-Language": "en-US",
        "X-Hmac": sign(token, path, body),
        **({f"X-{BRAND}-Access": token} if token else {}),
        **(headers or {}),
    }
    connection.request(verb, path, body or None, sent)
    return connection, connection.getresponse()


def result(answer):
    text = answer.read()
    retry_after = answer.headers.get("Retry-After")
    try:
        value = json.loads(text)
    except ValueError:
        raise Refused(max(answer.status, 500), {"message": "not an answer of the gateway"}) from None
    if answer.status != 200 or value.get("message", "OK") != "OK":
        raise Refused(answer.status, value, float(retry_after) if retry_after else None)
    return value


def post(path, arguments, token=""):
    connection, answer = exchange("POST", path, json.dumps(arguments).encode(), token)
    try:
        return result(answer)
    finally:
        connection.close()


def method(name, *arguments, token=None):
    """Calls a method of the gateway; renews the tokens and repeats the call once if it must."""
    service, _ = name.split(".")
    path = f"/api/talk/thrift/Talk/{service}/{name.split('.')[1]}"
    if token is not None:
        return post(path, list(arguments), token).get("data")
    try:
        return post(path, list(arguments), state["tokens"]["accessToken"]).get("data")
    except Refused as error:
        if not error.wants_renewal:
            raise
        renew()
        return post(path, list(arguments), state["tokens"]["accessToken"]).get("data")


def encrypt(key):
    """Encrypts the credential with RSA, PKCS #1 v1.5."""
    parts = (key["sessionKey"].encode(), USERID.encode(), PASSWORD.encode())
    blob = b"".join(bytes([len(part)]) + part for part in parts)
    n, e = int(key["nvalue"], 16), int(key["evalue"], 16)
    size = (n.bit_length() + 7) // 8
    padding = bytes(secrets.choice(range(1, 256)) for _ in range(size - len(blob) - 3))
    padded = int.from_bytes(b"\x00\x02" + padding + b"\x00" + blob, "big")
    return pow(padded, e, n).to_bytes(size, "big").hex()


def log_in():
    key = method("TalkService.getRSAKeyInfo", 1, token="")
    request = {
        "type": 0,
        "identityProvider": 1,
        "identifier": key["keynm"],
        "password": encrypt(key),
        "keepLoggedIn": True,
        "accessLocation": "",
        "systemName": "echo_bot.py",
        "modelName": "",
        "certificate": state.get("certificate", ""),
        "verifier": "",
        "secret": "",
        "e2eeVersion": 1,
    }
    answer = method("AuthService.loginV2", request, token="")
    if answer["type"] != 1:
        sys.exit("this login needs a confirmation on another device, which this bot cannot wait for")
    state.update(tokens=answer["tokenV3IssueResult"], mid=answer["mid"], certificate=answer["certificate"])
    save()


def renew():
    policy = state["tokens"]["refreshApiRetryPolicy"]
    delay = float(policy["initialDelayInMillis"]) / 1000
    for _ in range(10):
        try:
            body = {"refreshToken": state["tokens"]["refreshToken"]}
            answer = post("/api/auth/tokenRefresh", body, state["tokens"]["accessToken"])
            state["tokens"].update(answer.get("data") or answer)
            save()
            return
        except Refused as error:
            if error.code != 10202:
                state.pop("tokens", None)
                save()
                sys.exit(f"the session has ended: {error}")
        except OSError as error:
            print("renewal:", error, file=sys.stderr)
        time.sleep(delay * random.uniform(1 - policy["jitterRate"], 1 + policy["jitterRate"]))
        delay = min(delay * policy["multiplier"], float(policy["maxDelayInMillis"]) / 1000)
    sys.exit("the tokens cannot be renewed")


def next_number():
    state["reqSeq"] = state["reqSeq"] + 1
    save()
    return state["reqSeq"]


def send(to, text):
    """Sends a text; repeats it as it was after failures that pass."""
    number = next_number()
    message = {"to": to, "toType": {"u": 0, "r": 1, "c": 2}[to[0]], "text": text, "contentType": 0}
    pause = 0.4
    while True:
        wait = pause * random.uniform(0.7, 1.3)
        try:
            return method("TalkService.sendMessage", number, message)
        except Refused as error:
            if not error.is_passing:
                print("not sent:", error, file=sys.stderr)
                return None
            wait = error.retry_after or wait
        except (OSError, http.client.HTTPException) as error:
            print("send:", error, file=sys.stderr)
        time.sleep(wait)
        pause = min(pause * 2, 30)


def history(chat):
    page = method("TalkService.getRecentMessagesV2", chat, 100)
    count = 0
    while page:
        count += len(page)
        last = page[-1]
        request = {
            "messageBoxId": chat,
            "endMessageId": {"messageId": last["id"], "deliveredTime": last["deliveredTime"]},
            "messagesCount": 100,
        }
        page = method("TalkService.getPreviousMessagesV2WithRequest", request, 8)
    return count


def answer(message):
    text, sender = message.get("text"), message["from"]
    if text is None or sender == state["mid"]:
        return
    chat = sender if message["to"] == state["mid"] else message["to"]
    if text == "!history":
        send(chat, f"history: {history(chat)}")
    elif text == "!react":
        request = {"reqSeq": next_number(), "messageId": message["id"], "reactionType": {"predefinedReactionType": 2}}
        method("TalkService.react", request)
        send(chat, "reacted: yes")
    else:
        send(chat, f"echo: {text}")


def handle(operation):
    if int(operation["revision"]) <= int(state["revision"]):
        return
    kind = operation["type"]
    try:
        if kind == RECEIVE_MESSAGE:
            answer(operation["message"])
        elif kind == INVITED and state["mid"] in operation.get("param3", "").split("\x1e"):
            request = {"reqSeq": next_number(), "chatMid": operation["param1"]}
            method("TalkService.acceptChatInvitation", request)
    except Refused as error:
        print("operation:", error, file=sys.stderr)
    state["revision"] = str(operation["revision"])
    save()


def events(stream):
    """Yields the events of a stream with their names; an operation has none."""
    name, data = None, []
    for raw in stream:
        line = raw.decode().rstrip("\r\n")
        if line == "":
            if data:
                yield name, "\n".join(data)
            name, data = None, []
        elif line.startswith("event:"):
            name = line[6:].strip()
        elif line.startswith("data:"):
            data.append(line[5:].lstrip(" "))


def follow():
    """Reads one stream, until it ends."""
    query = {"localRev": state["revision"], "version": VERSION, "lastPartialFullSyncs": "{}", "language": "en_US"}
    path = "/api/operation/receive?" + urllib.parse.urlencode(query)
    headers = {"Accept": "text/event-stream"}
    connection, stream = exchange("GET", path, b"", state["tokens"]["accessToken"], SILENCE_S, headers)
    try:
        if stream.status != 200:
            result(stream)
        for name, data in events(stream):
            if name is None:
                handle(json.loads(data))
            elif name == "fullSync":
                state["revision"] = str(json.loads(data)["nextRevision"])
                save()
            elif name == "reconnect":
                return
            elif name == "talkException":
                raise Refused(400, {"data": json.loads(data)})
    finally:
        connection.close()


def main():
    if "tokens" not in state:
        log_in()
    if "revision" not in state:
        state["revision"] = method("TalkService.getLastOpRevision")
        save()
    pause = 0.5
    while True:
        began = time.monotonic()
        try:
            follow()
        except Refused as error:
            print("stream:", error, file=sys.stderr)
            if error.wants_renewal:
                renew()
            elif error.code in (1, 8):
                state.pop("tokens", None)
                save()
                sys.exit("the session has ended")
        except (OSError, http.client.HTTPException, ValueError) as error:
            print("stream:", error, file=sys.stderr)
        if time.monotonic() - began > 5:
            pause = 0.5
        time.sleep(pause * random.uniform(0.7, 1.3))
        pause = min(pause * 2, 30)


if __name__ == "__main__":
    main()
