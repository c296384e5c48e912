package realmail

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"time"
)

// writeCertificates makes an authority and a certificate signed by it for both
// servers, good for a day, and sets s.TLS and s.CAFile.
func (s *Servers) writeCertificates() error {
	now := time.Now()
	authority := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "pbem test authority"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.Add(24 * time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: "mail." + s.Domain},
		NotBefore:    authority.NotBefore,
		NotAfter:     authority.NotAfter,
		DNSNames:     []string{"localhost", "mail." + s.Domain},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	serverDER, err := x509.CreateCertificate(rand.Reader, server, authority, serverKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(serverKey)
	if err != nil {
		return err
	}
	s.CAFile = s.path("tls", "ca.pem")
	if err := errors.Join(
		writePEM(s.CAFile, 0o644, "CERTIFICATE", authorityDER),
		writePEM(s.path("tls", "cert.pem"), 0o644, "CERTIFICATE", serverDER),
		writePEM(s.path("tls", "key.pem"), 0o600, "PRIVATE KEY", keyDER),
	); err != nil {
		return err
	}
	root, err := x509.ParseCertificate(authorityDER)
	if err != nil {
		return err
	}
	s.TLS = &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	s.TLS.RootCAs.AddCert(root)
	return nil
}

func writePEM(name string, mode os.FileMode, kind string, der []byte) error {
	return os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), mode)
}
