// Receives webhooks and verifies their signatures.
// DISCA_SECRET=whsec_... PORT=8080 go run verify.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// verify checks the signature of the raw, unparsed body.
func verify(secret string, headers http.Header, body []byte) bool {
	id := headers.Get("webhook-id")
	timestamp := headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return false
	}
	// Reject old messages: they may be replayed by an attacker.
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// During a secret rotation there are two signatures, one per secret.
	for _, each := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(each), expected) {
			return true
		}
	}
	return false
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil || !verify(os.Getenv("DISCA_SECRET"), request.Header, body) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	var event struct {
		EventType string `json:"eventType"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	// Store the event by its webhook-id (retries have the same one), respond, and process it afterwards.
	response.Header().Set("x-event-type", event.EventType)
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe(":"+port, http.HandlerFunc(receive)))
}
