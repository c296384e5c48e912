package main

import (
	"fmt"
	"html"
	"strings"
	"time"
)

// form is a reply as it lies in a mailbox: with the fields that servers on the
// way have put on, a signature, and the text twice, as most programs write it.
const form = `Return-Path: <%[1]s>
Delivered-To: %[2]s
Authentication-Results: gateway.example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org
Received: from mail-lj1-f174.example.org (mail-lj1-f174.example.org [192.0.2.174])
	by gateway.example.org (Postfix) with ESMTPS id %[3]d
	for <%[2]s>; %[4]s
Received: by mail-lj1-f174.example.org with SMTP id 38308e7fff4ca-%[3]d; %[4]s
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=20230601; t=1772366400;
	h=to:subject:message-id:date:from:in-reply-to:references:mime-version;
	bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=;
	b=%[5]s
MIME-Version: 1.0
References: <%[6]s>
In-Reply-To: <%[6]s>
From: %[1]s
Date: %[4]s
Message-ID: <CAB%[11]s%[3]d@mail.example.org>
Subject: Re: %[7]s
To: Shogi by mail <%[2]s>
Content-Type: multipart/alternative; boundary="000000000000b5"

--000000000000b5
Content-Type: text/plain; charset="UTF-8"

%[8]s

On Sun, 1 Mar 2026 at 12:00, Shogi by mail <%[2]s> wrote:
%[9]s
--000000000000b5
Content-Type: text/html; charset="UTF-8"

<div dir="ltr">%[8]s</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sun,
1 Mar 2026 at 12:00, Shogi by mail wrote:<br></div><blockquote class="gmail_quote">
<pre>%[10]s</pre></blockquote></div>

--000000000000b5--
`

// compose writes text above l, as whoever is to move at t.
func (c *club) compose(t *table, l letter, text string) []byte {
	c.mails++
	var quoted strings.Builder
	for line := range strings.Lines(l.text) {
		quoted.WriteString("> " + line)
	}
	signature := strings.Repeat("dGhpcyBpcyBubyBzaWduYXR1cmUgYXQgYWxs", 9)
	answered := l.messageID
	if answered == "" {
		answered = "nothing@" + domain
	}
	raw := fmt.Sprintf(form, addressOf(t.game.Turn()), l.replyTo, c.mails, time.Now().Format(time.RFC1123Z),
		signature, answered, l.subject, text, quoted.String(), html.EscapeString(l.text), c.name)
	return []byte(strings.ReplaceAll(raw, "\n", "\r\n"))
}
